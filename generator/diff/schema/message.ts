import type { Json } from '../../document/document.js'
import { quoted } from '../../document/json.js'
import { type ChangeId, entryOf } from '../change/catalogue.js'
import type { KeywordChange } from './keywords.js'
import type { SchemaFinding } from './node.js'

/** A change in one line: position, change, values. */
export function messageFor(
  title: string,
  path: string,
  id: ChangeId,
  change: Pick<KeywordChange, 'old' | 'new'> &
    Pick<SchemaFinding, 'property'> & { readonly undecided?: string | undefined },
): string {
  const place = path === '' ? title : `${path} of ${title}`
  const doubt = change.undecided === undefined ? '' : `; cannot be decided: ${change.undecided}`
  // The path of an added or removed property already ends in its name.
  const shownValues = change.property === undefined ? values(change.old, change.new) : ''
  return `${place}: ${entryOf(id).label}${shownValues}${doubt}`
}

function values(old: Json | undefined, fresh: Json | undefined): string {
  if (old === undefined && fresh === undefined) return ''
  if (old === undefined) return ` (${quoted(fresh)})`
  if (fresh === undefined) return ` (was ${quoted(old)})`
  return ` (${quoted(old)} to ${quoted(fresh)})`
}
