import { type CharacterRange, NotRegular, type PatternState } from './pattern-automaton.js'

/**
 * Without the flag u an expression reads code units, but words here consist of code points. Adds a step for
 * each two steps that read the halves of a surrogate pair, and for a match that ends between them.
 *
 * Throws NotRegular if a class contains only some halves.
 */
export function readPairs(states: readonly PatternState[], final: number): void {
  const takesHalves = states.map(({ reading }) => reading.filter(({ characters }) => holdsHalves(characters)))
  if (takesHalves.every((reading) => reading.length === 0)) return
  const reach = states.map((_, from) => withinPair(states, from))
  for (const [from, first] of takesHalves.entries()) {
    const targets = new Set<number>()
    for (const { to } of first)
      for (const between of reach[to] ?? []) {
        if (between === final) targets.add(final)
        for (const second of takesHalves[between] ?? []) targets.add(second.to)
      }
    for (const to of targets) states[from]?.reading.push({ to, characters: astral })
  }
}

const astral: readonly CharacterRange[] = [{ min: 0x10000, max: 0x10ffff }]

function holdsHalves(characters: readonly CharacterRange[]): boolean {
  let count = 0
  for (const { min, max } of characters)
    count += Math.max(0, Math.min(max, 0xdfff) - Math.max(min, 0xd800) + 1)
  if (count !== 0 && count !== 0x800) throw new NotRegular('a pattern matches halves of surrogate pairs')
  return count > 0
}

/** Where a match may move between the halves of a pair without reading: words contain no halves. */
function withinPair(states: readonly PatternState[], from: number): ReadonlySet<number> {
  const reached = new Set([from])
  for (const at of reached)
    for (const { to, when } of states[at]?.free ?? [])
      if (when === undefined || when === 'inside') reached.add(to)
  return reached
}
