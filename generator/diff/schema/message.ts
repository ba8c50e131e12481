import { quoted } from '../../document/json.js'
import { digitsOf } from '../../document/written-digits.js'
import { fingerprint } from '../../schema/canonical.js'
import { type ChangeId, entryOf } from '../change/catalogue.js'
import type { KeywordChange } from './keywords.js'
import type { SchemaFinding } from './node.js'

/** A change in one line: position, change, values. */
export function messageFor(
  title: string,
  path: string,
  id: ChangeId,
  change: Pick<KeywordChange, 'old' | 'new' | 'values'> &
    Pick<SchemaFinding, 'property' | 'words'> & { readonly undecided?: string | undefined },
): string {
  const place = path === '' ? title : `${path} of ${title}`
  const doubt = change.undecided === undefined ? '' : `; cannot be decided: ${change.undecided}`
  // The path of an added or removed property already ends in its name.
  const shownValues = change.property === undefined ? values(change) : ''
  return `${place}: ${change.words ?? entryOf(id).label}${shownValues}${doubt}`
}

function values({ old, new: fresh, values = [] }: Pick<KeywordChange, 'old' | 'new' | 'values'>): string {
  if (old === undefined && fresh === undefined) return ''
  const [was, is] = [digitsOf(values, 0) ?? quoted(old), digitsOf(values, 1) ?? quoted(fresh)]
  if (old === undefined) return ` (${is})`
  if (fresh === undefined) return ` (was ${was})`
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
