import type { Json } from '../../document/document.js'
import { quoted } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import { type ChangeId, entryOf } from '../change/catalogue.js'
import type { KeywordChange } from './keywords.js'
import type { SchemaFinding } from './node.js'

/** A change in one line: position, change, values. */
export function messageFor(
  title: string,
  path: string,
  id: ChangeId,
  change: Pick<KeywordChange, 'old' | 'new'> &
    Pick<SchemaFinding, 'property' | 'words'> & { readonly undecided?: string | undefined },
): string {
  const place = path === '' ? title : `${path} of ${title}`
  const doubt = change.undecided === undefined ? '' : `; cannot be decided: ${change.undecided}`
  // The path of an added or removed property already ends in its name.
  const shownValues = change.property === undefined ? values(change.old, change.new) : ''
  return `${place}: ${change.words ?? entryOf(id).label}${shownValues}${doubt}`
}

function values(old: Json | undefined, fresh: Json | undefined): string {
  if (old === undefined && fresh === undefined) return ''
  if (old === undefined) return ` (${quoted(fresh)})`
  if (fresh === undefined) return ` (was ${quoted(old)})`
  const [was, is] = [quoted(old), quoted(fresh)]
  if (was !== is) return ` (${was} to ${is})`
  const [whole, other] = [fingerprint(old), fingerprint(fresh)]
  return whole === other ? ` (${was})` : ` (${difference(whole, other)})`
}

/** Where two long texts differ. Their starts are equal. */
function difference(old: string, fresh: string): string {
  let at = 0
  while (at < old.length && old[at] === fresh[at]) at++
  const [was, is] = [old, fresh].map((text) => {
    const part = text.slice(Math.max(0, at - 20))
    return `…${part.length <= 60 ? part : `${part.slice(0, 59)}…`}`
  })
  return `${was} to ${is}`
}
