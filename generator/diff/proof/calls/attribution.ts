import type { Violation } from 'duet-runtime'
import { entryOf } from '../../change/catalogue.js'
import type { Change } from '../../change/change.js'
import { nearness, type Way } from '../../change/place.js'

/** The violations that a change explains: keywords at a path. */
export interface Claim {
  readonly way: Way
  readonly keywords: readonly string[]
}

/** Undefined if the id names no keywords. */
export function claimOf(change: Pick<Change, 'id' | 'direction'>, way: Way): Claim | undefined {
  // What an added branch refuses is a value of another branch, too.
  const isOverlap = change.direction === 'request' && entryOf(change.id).action === 'one-of-added'
  const keywords = isOverlap ? ['oneOf'] : keywordsOf(change)
  return keywords && { way, keywords }
}

/** The keywords that refuse a value because of a change. */
export function keywordsOf({ id }: Pick<Change, 'id'>): readonly string[] | undefined {
  const { refusedBy } = entryOf(id)
  return refusedBy.length === 0 ? undefined : refusedBy
}

/** Keywords of an object whose violations name the member that it refuses. */
const ofOthers: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** The violations of a refusal, without those that only other changes explain. */
export function dueTo(
  violations: readonly Violation[],
  own: Claim | undefined,
  rivals: readonly Claim[],
): readonly Violation[] {
  const explains = ({ way, keywords }: Claim, { path, keyword }: Violation): boolean =>
    keywords.includes(keyword) &&
    (nearness(path, way) === 'at' || (ofOthers.has(keyword) && nearness(parentOf(path), way) === 'at'))
  return violations.filter(
    (violation) =>
      (own !== undefined && explains(own, violation)) || !rivals.some((rival) => explains(rival, violation)),
  )
}
