import type { Violation } from 'duet-runtime'
import type { Change } from '../../change/change.js'
import { nearness, type Way } from '../../change/place.js'

/** The violations that a change explains. */
export interface Claim {
  readonly way: Way
  readonly keywords: readonly string[]
}

/** Keywords by whose violations validators refuse what a change of an id refuses. */
const keywordsByIds: readonly (readonly [ids: RegExp, keywords: readonly string[]])[] = [
  [/-max-length-/, ['maxLength']],
  [/-min-length-/, ['minLength']],
  [/-pattern-(added|changed|removed|generalized)$/, ['pattern']],
  [/-(exclusive-)?max-(set|unset|increased|decreased)$/, ['maximum', 'exclusiveMaximum']],
  [/-(exclusive-)?min-(set|unset|increased|decreased)$/, ['minimum', 'exclusiveMinimum']],
  [/-max-items-/, ['maxItems']],
  [/-min-items-/, ['minItems']],
  [/-enum-value-|-became-enum$|-const-/, ['enum', 'const']],
  [/-type-|-list-of-types-|nullable$/, ['type', 'format']],
  [
    /became-(required|optional)|^new-required-|^response-required-.*removed$|-default-value-removed$/,
    ['required'],
  ],
]

/** Undefined where the id names no keyword. */
export function claimOf(change: Pick<Change, 'id'>, way: Way): Claim | undefined {
  const keywords = keywordsOf(change)
  return keywords && { way, keywords }
}

/** The keywords by which a change refuses. */
export function keywordsOf({ id }: Pick<Change, 'id'>): readonly string[] | undefined {
  return keywordsByIds.find(([ids]) => ids.test(id))?.[1]
}

/** What of a refusal is not what another change alone explains. */
export function dueTo(
  violations: readonly Violation[],
  own: Claim | undefined,
  rivals: readonly Claim[],
): readonly Violation[] {
  const explains = ({ way, keywords }: Claim, { path, keyword }: Violation): boolean =>
    keywords.includes(keyword) && nearness(path, way) === 'at'
  return violations.filter(
    (violation) =>
      (own !== undefined && explains(own, violation)) || !rivals.some((rival) => explains(rival, violation)),
  )
}
