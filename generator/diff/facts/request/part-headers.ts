import { type Cursor, childPointer } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import { encodingOf } from '../../../model/params/form-fields.js'
import type { Level } from '../../change/level.js'
import { whereTexts } from '../../change/protocol.js'
import { asObject, entriesOf, type Side } from '../../change/side.js'
import { type OperationPair, report } from '../parts/pair.js'
import { schemaOf, spellingOf } from './parameter.js'

/**
 * Compares the headers of the parts of a multipart body (OpenAPI 3.1.1 section 4.8.15.1.1). A Duet service does not read
 * them, so what another service may refuse is dangerous.
 */
export function partHeaderFacts(
  pair: OperationPair,
  names: readonly string[],
  old: Cursor,
  fresh: Cursor,
): void {
  for (const name of names) {
    const [was, is] = [headersOf(pair.old, old, name), headersOf(pair.new, fresh, name)]
    for (const key of [...new Set([...was.keys(), ...is.keys()])].sort()) {
      const [a, b] = [was.get(key), is.get(key)]
      const title = `the header ${(a ?? b)?.name} of the part ${name} of the request body`
      for (const [what, level] of differences(pair, a, b))
        report(pair, {
          id: 'request-body-part-header-changed',
          level,
          message: `${title} ${what}`,
          ...{ old: a?.cursor, new: b?.cursor, path: childPointer('', name) },
          values: [key, what],
          protocols: whereTexts,
        })
    }
  }
}

interface Header {
  readonly name: string
  readonly cursor: Cursor
}

type Difference = readonly [what: string, level: Level]

function differences(
  pair: OperationPair,
  old: Header | undefined,
  fresh: Header | undefined,
): readonly Difference[] {
  if (old === undefined || fresh === undefined) {
    if (fresh === undefined) return [['was removed', 'dangerous']]
    return isRequired(fresh) ? [['was added (required)', 'dangerous']] : [['was added', 'compatible']]
  }
  const [was, is] = [isRequired(old), isRequired(fresh)]
  const need: Difference = is ? ['became required', 'dangerous'] : ['became optional', 'compatible']
  return [...(was === is ? [] : [need]), ...otherValues(pair, old, fresh)]
}

function otherValues(pair: OperationPair, old: Header, fresh: Header): readonly Difference[] {
  const [was, is] = [spelling(pair.old, old), spelling(pair.new, fresh)]
  if (was !== is) return [[`is written another way: ${was} to ${is}`, 'dangerous']]
  const { sameness, judgement } = pair.tools.reach.graph
  const [a, b] = [schemaOf(pair.old, old)?.value ?? true, schemaOf(pair.new, fresh)?.value ?? true]
  if (sameness.of(a, b)) return []
  const accepts = judgement.isContained('request', a, b)
  return [[accepts ? 'accepts more, or says more' : 'may accept less', accepts ? 'compatible' : 'dangerous']]
}

function spelling(side: Side, { cursor }: Header): string {
  return spellingOf(side, { cursor, in: 'header' })
}

/** By lower-case names. OpenAPI ignores a header `Content-Type`, which has a keyword of its own. */
function headersOf(side: Side, media: Cursor, name: string): ReadonlyMap<string, Header> {
  const encoding = encodingOf({ cursor: media }, name)
  const headers = encoding === undefined ? [] : [...entriesOf(side, encoding, 'headers')]
  const named = headers.map(([one, cursor]) => [one.toLowerCase(), { name: one, cursor }] as const)
  return new Map(named.filter(([one]) => one !== 'content-type'))
}

function isRequired({ cursor }: Header): boolean {
  return own(asObject(cursor.value), 'required') === true
}
