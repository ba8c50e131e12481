import type { CharacterRange } from './pattern-automaton.js'

/** Characters that no expression of the question distinguishes. */
export interface Letter {
  readonly size: number
  readonly word: boolean
  readonly ranges: readonly CharacterRange[]
}

/** Splits all code points by the given sets. `members` has the letters of each set. */
export function alphabet(sets: readonly (readonly CharacterRange[])[]): {
  readonly letters: readonly Letter[]
  readonly members: readonly (readonly number[])[]
} {
  const all = [...sets, wordCharacters, surrogates]
  const events: { at: number; set: number }[] = []
  all.forEach((ranges, set) => {
    for (const { min, max } of ranges) events.push({ at: min, set }, { at: max + 1, set })
  })
  events.sort((a, b) => a.at - b.at)
  const inside = new Set<number>()
  const bySignature = new Map<string, { ranges: CharacterRange[]; sets: number[] }>()
  let from = 0
  for (let i = 0; i <= events.length; i++) {
    const at = events[i]?.at ?? limit
    if (at > from) {
      const signature = [...inside].sort((a, b) => a - b)
      const key = signature.join(',')
      const known = bySignature.get(key)
      const range = { min: from, max: at - 1 }
      if (known === undefined) bySignature.set(key, { ranges: [range], sets: signature })
      else known.ranges.push(range)
      from = at
    }
    const event = events[i]
    if (event === undefined) continue
    if (!inside.delete(event.set)) inside.add(event.set)
  }
  const members: number[][] = sets.map(() => [])
  const letters: Letter[] = []
  // Letters that people read come first. Halves of surrogate pairs cannot be combined freely, so words use
  // them only if nothing else serves.
  const rank = ({ ranges, sets: within }: { ranges: CharacterRange[]; sets: number[] }): number => {
    if (within.includes(sets.length + 1)) return preferred.length + 1
    const place = preferred.findIndex((likes) =>
      ranges.some(({ min, max }) => min <= likes.max && max >= likes.min),
    )
    return place < 0 ? preferred.length : place
  }
  const ordered = [...bySignature.values()].sort((a, b) => rank(a) - rank(b))
  for (const { ranges, sets: within } of ordered) {
    for (const set of within) members[set]?.push(letters.length)
    const size = ranges.reduce((sum, range) => sum + range.max - range.min + 1, 0)
    letters.push({ size, ranges, word: within.includes(sets.length) })
  }
  return { letters, members }
}

/** Up to `count` characters of a letter, the most readable ones first. */
export function characters(letter: Letter, count: number): string[] {
  const found = new Set<number>()
  for (const { min, max } of [...preferred, ...letter.ranges])
    for (const range of letter.ranges)
      for (let code = Math.max(min, range.min); code <= Math.min(max, range.max); code++) {
        if (found.size >= count) return [...found].map((one) => String.fromCodePoint(one))
        found.add(code)
      }
  return [...found].map((one) => String.fromCodePoint(one))
}

const limit = 0x110000
const wordCharacters: readonly CharacterRange[] = ['09', 'AZ', '__', 'az'].map((pair) => ({
  min: pair.charCodeAt(0),
  max: pair.charCodeAt(1),
}))
const surrogates: readonly CharacterRange[] = [{ min: 0xd800, max: 0xdfff }]
const preferred: readonly CharacterRange[] = [
  { min: 0x61, max: 0x7a },
  { min: 0x30, max: 0x39 },
  { min: 0x41, max: 0x5a },
  { min: 0x20, max: 0x7e },
  { min: 0xa1, max: 0xff },
]
