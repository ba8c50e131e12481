import type { Level } from './level.js'
import { type SubjectName, type SubjectRow, subjects } from './subjects.js'
import type { ChangeRow } from './table/change-row.js'
import type { ChangeColumns, ChangeTrait } from './table/columns.js'
import { documentIds } from './table/document-ids.js'
import type { KnownIds } from './table/known-ids.js'
import { type OtherChangeId, otherChanges } from './table/other-changes.js'
import { requestIds } from './table/request-ids.js'
import { responseIds } from './table/response-ids.js'
import { type SchemaAction, type SchemaActionRow, schemaActions } from './table/schema-actions.js'

/** The id of a change: the subject that has the schema and the action on it, or an id of its own. */
export type ChangeId = OtherChangeId | `${SubjectName}-${SchemaAction}`

export interface CatalogueEntry extends ChangeColumns {
  readonly id: ChangeId
  /** The level if no schema decides. */
  readonly level: Level
  readonly direction: 'request' | 'response' | null
  /** The part of the request or response that has the change. */
  readonly holder: 'parameter' | 'body' | 'params' | 'header' | null
  /** What happened to a schema. Undefined for other changes. */
  readonly action: SchemaAction | undefined
  /** Whether oasdiff reports the same change with the same id. */
  readonly shared: boolean
  /** What happened, in messages. They start with the subject. */
  readonly label: string
}

/** The entry of a change id. Undefined for an unknown id. */
export function catalogueEntry(id: string): CatalogueEntry | undefined {
  return entries.get(id)
}

/** The entry of a change id. Throws a TypeError if subject and action do not form an id. */
export function entryOf(id: ChangeId): CatalogueEntry {
  const entry = entries.get(id)
  if (entry === undefined) throw new TypeError(`There is no change id ${id}`)
  return entry
}

export function hasTrait(id: ChangeId, trait: ChangeTrait): boolean {
  return entryOf(id).traits.includes(trait)
}

const entries = new Map<string, CatalogueEntry>()
/** Every change id. */
export const changeIds: ReadonlyMap<string, CatalogueEntry> = entries

const oasdiffLevels = new Map<string, Level>()
for (const known of [requestIds, responseIds, documentIds])
  for (const [level, ids] of Object.entries(known) as [keyof KnownIds, string][])
    for (const id of ids.trim().split(/\s+/)) oasdiffLevels.set(id, level)

for (const { direction, holder, rows } of otherChanges)
  for (const [id, row] of Object.entries<ChangeRow>(rows) as [OtherChangeId, ChangeRow][]) {
    const known = oasdiffLevels.get(id)
    const level = row.level ?? known
    if (level === undefined) throw new TypeError(`${id} has no level`)
    const shared = known !== undefined
    entries.set(id, {
      label: inSentence(row.words),
      ...row,
      id,
      level,
      direction,
      holder,
      action: undefined,
      shared,
    })
  }

for (const [subject, { direction, holder, words, label = 'it', isPartial }] of Object.entries<SubjectRow>(
  subjects,
))
  for (const [action, row] of Object.entries<SchemaActionRow>(schemaActions)) {
    const id = `${subject}-${action}` as `${SubjectName}-${SchemaAction}`
    const known = oasdiffLevels.get(id)
    if (known === undefined && isPartial) continue
    const level = row.level[direction] === 'info' ? 'info' : (known ?? row.level[direction])
    entries.set(id, {
      ...{ ...row, id, level, direction, holder, action: action as SchemaAction },
      ...{ shared: known !== undefined, words: `${words}: ${row.words}.` },
      label: row.words.replace(/^it\b/, label),
    })
  }

/** A sentence of the table, to follow the subject and a colon. */
function inSentence(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1).replace(/\.$/, '')}`
}
