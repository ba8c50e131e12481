import type { Segment } from './segments.js'
import type { NameSource } from './source.js'
import { areAction } from './verbs.js'
import { partOf, stemOf, wordsOf } from './words.js'

/** The first and last segment of a resource, by index. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Whether words name a resource of the path, and not an action. */
export function isThing(words: readonly string[], segments: readonly Segment[]): boolean {
  const found = words.length === 0 ? undefined : resourceAt(segments, words)
  return found !== undefined && !areAction(segments[found.end]?.words ?? [], false)
}

/** Whether words name a resource of the path, or the tag. */
export function isKnown(words: readonly string[], source: NameSource, segments: readonly Segment[]): boolean {
  return isThing(words, segments) || (words.length > 0 && stemOf(words) === stemOf(tagWords(source)))
}

/** The segments that words name, in order and in full. Singular and plural are the same. */
export function resourceAt(segments: readonly Segment[], words: readonly string[]): Range | undefined {
  const letters = words.join('')
  // A long word may be several words without separators.
  const isBoundary = (place: number): boolean =>
    (words.length === 1 && letters.length > 10) || boundaries.has(place)
  const boundaries = new Set(words.map((_, index) => words.slice(0, index).join('').length))
  let rest = letters.length
  let end: number | undefined
  for (let at = segments.length - 1; at >= 0; at--) {
    const own = segments[at]?.words ?? []
    const spellings = own.length === 0 ? [] : [own, own.slice(-1)].flatMap(spellingsOf)
    const spelled = spellings.find((text) => letters.endsWith(text, rest) && isBoundary(rest - text.length))
    if (spelled === undefined) continue
    rest -= spelled.length
    end ??= at
    if (rest === 0) return { start: at, end }
  }
  return undefined
}

function spellingsOf(words: readonly string[]): string[] {
  return [words.join(''), stemOf(words), `${words.join('')}s`]
}

/** The resource that most of the words name. The other words describe the action. */
export function partAt(
  segments: readonly Segment[],
  words: readonly string[],
): (Range & { readonly others: readonly string[] }) | undefined {
  const whole = words.length === 0 ? undefined : resourceAt(segments, words)
  if (whole !== undefined) return { ...whole, others: [] }
  // An action on two things belongs to no single resource. More words do not occur in practice, and trying them takes
  // time.
  if (words.includes('and') || words.length > 12) return undefined
  for (let length = words.length - 1; length > 0; length--) {
    for (let from = words.length - length; from >= 0; from--) {
      const found = resourceAt(segments, words.slice(from, from + length))
      if (found !== undefined)
        return { ...found, others: [...words.slice(0, from), ...words.slice(from + length)] }
    }
  }
  return undefined
}

/** The index of the segment that the tag names. */
export function tagAt(segments: readonly Segment[], source: NameSource): number | undefined {
  const stem = stemOf(tagWords(source))
  const at = segments.findIndex(({ words }) => words.length > 0 && stemOf(words) === stem)
  return stem === '' || at === -1 ? undefined : at
}

/** The words of the tag, without what is in parentheses. A tag with levels, as in `Albums\\Videos`, has none. */
export function tagWords({ tag = '' }: NameSource): string[] {
  return /[\\/>|]/.test(tag) ? [] : wordsOf(tag.replace(/\([^()]*\)/g, ''))
}

/** The parts of a name for segments. Parameters have none. */
export function partsOf(segments: readonly Segment[]): string[] {
  return segments.filter(({ words }) => words.length > 0).map(({ words }) => partOf(words))
}
