import type { Level } from './change.js'
import { documentIds } from './document-ids.js'
import { ownIds } from './own-ids.js'
import { requestIds } from './request-ids.js'
import { responseIds } from './response-ids.js'

export interface CatalogueEntry {
  readonly id: string
  /** The level where no schema decides. */
  readonly level: Level
  readonly direction: 'request' | 'response' | null
  /** Whether oasdiff reports the same change by the same id. */
  readonly shared: boolean
}

/** What is known of a change id; undefined where there is no such id. */
export function catalogueEntry(id: string): CatalogueEntry | undefined {
  return changeIds.get(id)
}

/** Of those of oasdiff's ids that it calls compatible: what no call and no answer depends on. */
const documentation =
  /^api-(operation-id|tag)-(added|removed)$|^api-schema-removed$|^api-(major-)?version-|^api-security-component-|-annotation-only$/

const entries = new Map<string, CatalogueEntry>()
/** Every change id. */
export const changeIds: ReadonlyMap<string, CatalogueEntry> = entries
for (const [ids, direction, shared] of [
  [requestIds, 'request', true],
  [responseIds, 'response', true],
  [documentIds, null, true],
  [ownIds.request, 'request', false],
  [ownIds.response, 'response', false],
  [ownIds.document, null, false],
] as const)
  for (const level of ['breaking', 'dangerous', 'compatible', 'info'] as const)
    for (const id of (ids[level] ?? '').split(/\s+/).filter((word) => word !== ''))
      if (!entries.has(id))
        entries.set(id, { id, level: documentation.test(id) ? 'info' : level, direction, shared })
