import type { Protocol } from 'duet-runtime'
import { type Cursor, childPointer, member, text } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import { encodingOf } from '../../../model/params/form-fields.js'
import type { ChangeId } from '../../change/catalogue.js'
import type { Finding } from '../../change/collector.js'
import type { Level } from '../../change/level.js'
import { whereTexts } from '../../change/protocol.js'
import { asObject, entriesOf, type Side } from '../../change/side.js'
import { namesOf } from '../../same/within.js'
import type { MediaPair } from '../parts/media.js'
import { type OperationPair, report } from '../parts/pair.js'
import { covers } from './encoding.js'
import { schemaOf, spellingOf } from './parameter.js'

/** A multipart body, and how to report what changed in its parts. */
export interface Parts {
  readonly direction: 'request' | 'response'
  readonly id: ChangeId
  readonly title: string
  readonly path: string
  readonly protocols?: readonly Protocol[]
}

const ofBody: Parts = {
  direction: 'request',
  id: 'request-body-part-header-changed',
  title: 'the request body',
  path: '',
  protocols: whereTexts,
}

/**
 * Compares the headers of the parts of a multipart body (OpenAPI 3.1.1 section 4.8.15.1.1). A Duet service neither reads
 * nor writes them, so what another service or its callers may refuse is dangerous.
 */
export function partHeaderFacts(
  pair: OperationPair,
  names: readonly string[],
  old: Cursor,
  fresh: Cursor,
  parts: Parts = ofBody,
): void {
  for (const name of names) {
    const [was, is] = [headersOf(pair.old, old, name), headersOf(pair.new, fresh, name)]
    for (const key of [...new Set([...was.keys(), ...is.keys()])].sort()) {
      const [a, b] = [was.get(key), is.get(key)]
      const title = `the header ${(a ?? b)?.name} of the part ${name} of ${parts.title}`
      const ends = { old: a?.cursor, new: b?.cursor }
      for (const [what, level] of differences(pair, a, b, parts))
        say(pair, parts, name, { level, message: `${title} ${what}`, ...ends, values: [key, what] })
    }
  }
}

/** Compares media types and headers of named parts that a Duet service does not take apart. */
export function partFacts(pair: OperationPair, { was, type, a, b }: MediaPair, parts: Parts): void {
  if (![was, type].every((one) => one.toLowerCase().startsWith('multipart/'))) return
  const names = encodedNames(a, b)
  for (const name of names) {
    const types = [a, b].map((media) => {
      const stated = text(encodingOf({ cursor: media }, name)?.value, 'contentType')
      return stated?.split(',').map((one) => one.trim().toLowerCase())
    })
    const [olds, news] = types
    if (olds?.join() === news?.join()) continue
    const [sent, taken] = parts.direction === 'request' ? [olds, news] : [news, olds]
    const isKnown = sent !== undefined && taken !== undefined && sent.every((one) => covers(taken, one))
    const [one, other] = types.map((list) => list?.join(', ') ?? 'no media type')
    const message = `the part ${name} of ${parts.title} is written another way: ${one} to ${other}`
    const level = isKnown ? 'compatible' : 'dangerous'
    say(pair, parts, name, { level, message, old: a, new: b, values: [was, one ?? '', other ?? ''] })
  }
  partHeaderFacts(pair, names, a, b, parts)
}

/** The parts with an encoding in one version at least. */
export function encodedNames(old: Cursor, fresh: Cursor): string[] {
  return namesOf(member(old, 'encoding')?.value, member(fresh, 'encoding')?.value)
}

function say(
  pair: OperationPair,
  { id, path, protocols }: Parts,
  name: string,
  finding: Omit<Finding, 'id' | 'path'>,
): void {
  report(pair, { ...finding, id, path: path + childPointer('', name), ...(protocols && { protocols }) })
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
  { direction }: Parts,
): readonly Difference[] {
  const isRequest = direction === 'request'
  const level = (isNeeded: boolean): Level => (isNeeded === isRequest ? 'dangerous' : 'compatible')
  if (old === undefined || fresh === undefined) {
    if (fresh === undefined) return [['was removed', 'dangerous']]
    return isRequired(fresh) ? [['was added (required)', level(true)]] : [['was added', 'compatible']]
  }
  const [was, is] = [isRequired(old), isRequired(fresh)]
  const need: Difference = [is ? 'became required' : 'became optional', level(is)]
  return [...(was === is ? [] : [need]), ...otherValues(pair, old, fresh, direction)]
}

function otherValues(
  pair: OperationPair,
  old: Header,
  fresh: Header,
  direction: Parts['direction'],
): readonly Difference[] {
  const [was, is] = [spelling(pair.old, old), spelling(pair.new, fresh)]
  if (was !== is) return [[`is written another way: ${was} to ${is}`, 'dangerous']]
  const { sameness, judgement } = pair.tools.reach.graph
  const [a, b] = [schemaOf(pair.old, old)?.value ?? true, schemaOf(pair.new, fresh)?.value ?? true]
  if (sameness.of(a, b)) return []
  const [sent, taken] = direction === 'request' ? [a, b] : [b, a]
  if (judgement.isContained(direction, sent, taken)) return [['has another schema', 'compatible']]
  return [[direction === 'request' ? 'may accept less' : 'may have other values', 'dangerous']]
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
