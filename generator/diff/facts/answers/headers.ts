import { bodyValue } from '../../../document/body-value.js'
import { type Cursor, member } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import type { ChangeId } from '../../change/catalogue.js'
import { lifecycleOf, mayEnd } from '../../change/lifecycle.js'
import { whereStatuses } from '../../change/protocol.js'
import { asObject, entriesOf } from '../../change/side.js'
import { compareSchemas, type OperationPair, report } from '../parts/pair.js'
import { isOfType, schemaOf, spellingOf } from '../request/parameter.js'

/** Compares the headers of one response. Case does not matter in their names. */
export function headerFacts(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const [olds, news] = [
    byName(entriesOf(pair.old, old, 'headers')),
    byName(entriesOf(pair.new, fresh, 'headers')),
  ]
  const say = (header: Header, id: ChangeId, what: string, ends: { old?: Cursor; new?: Cursor }): void => {
    const message = `${titleOf(header, status)} ${what}`
    const path = `/headers/${header.name}`
    const isAnnounced = ends.new === undefined && mayEnd(header.cursor.value, pair.tools.notice)
    const level = isAnnounced ? ({ level: 'compatible' } as const) : {}
    report(pair, { ...ends, ...level, id, message, path, values: [status], protocols: whereStatuses })
  }
  for (const [key, header] of olds) {
    const other = news.get(key)
    if (other !== undefined) changed(pair, status, header, other, say)
    else
      say(header, `${isRequired(header) ? 'required' : 'optional'}-response-header-removed`, 'was removed', {
        old: header.cursor,
      })
  }
  for (const [key, header] of news)
    if (!olds.has(key)) say(header, 'response-header-added', 'was added', { new: header.cursor })
}

interface Header {
  readonly name: string
  readonly cursor: Cursor
}

type Say = (header: Header, id: ChangeId, what: string, ends: { old?: Cursor; new?: Cursor }) => void

function changed(pair: OperationPair, status: string, old: Header, fresh: Header, say: Say): void {
  const ends = { old: old.cursor, new: fresh.cursor }
  const [was, is] = [old, fresh].map(isRequired)
  if (was && !is) say(old, 'response-header-became-optional', 'became optional', ends)
  if (is && !was) say(old, 'response-header-became-required', 'is always there now', ends)
  const [before, after] = [filledFrom(old), filledFrom(fresh)]
  if (before !== undefined && after !== undefined && before !== after)
    say(old, 'response-header-value-changed', `is made from another member: ${before} to ${after}`, ends)
  if (before === undefined && after !== undefined)
    say(fresh, 'response-header-added', 'is sent now: x-value was added', ends)
  if (before !== undefined && after === undefined)
    say(
      old,
      `${was ? 'required' : 'optional'}-response-header-removed`,
      'is no longer sent: x-value was removed',
      ends,
    )
  const [wasDeprecated, isDeprecated] = [old, fresh].map(({ cursor }) => lifecycleOf(cursor.value).deprecated)
  if (wasDeprecated !== isDeprecated) {
    const id = `response-header-${isDeprecated ? 'deprecated' : 'reactivated'}` as const
    say(old, id, isDeprecated ? 'is deprecated' : 'is no longer deprecated', ends)
  }
  spelling(pair, status, old, fresh)
  const [a, b] = [schemaOf(pair.old, old), schemaOf(pair.new, fresh)]
  if (a === undefined || b === undefined) return
  // A client that reads plain text accepts every text.
  const isPlain = [old, fresh].every(({ cursor }) => member(cursor, 'content') === undefined)
  const isLoose = isPlain && own(asObject(a.value), 'format') === undefined
  const subject = { direction: 'response', holder: 'header', title: titleOf(old, status), isLoose } as const
  compareSchemas(pair, { ...subject, path: `/headers/${old.name}`, protocols: whereStatuses }, a, b)
}

/** Reports another encoding of a value: with commas, or in a media type. */
function spelling(pair: OperationPair, status: string, old: Header, fresh: Header): void {
  const [was, is] = [
    spellingOf(pair.old, { ...old, in: 'header' }),
    spellingOf(pair.new, { ...fresh, in: 'header' }),
  ]
  const isContent = [old, fresh].every(({ cursor }) => member(cursor, 'content') !== undefined)
  // If both use a media type, the schema reports the difference.
  if (was === is || isOfType(was, is) || (isContent && [was, is].includes('plain'))) return
  report(pair, {
    id: 'response-header-style-changed',
    message: `${titleOf(old, status)} is written another way: ${was} to ${is}`,
    ...{ old: old.cursor, new: fresh.cursor, path: `/headers/${old.name}` },
    values: [status, was, is],
    protocols: whereStatuses,
  })
}

function titleOf({ name }: Header, status: string): string {
  return `the header ${name} of the response ${status}`
}

/** OpenAPI ignores a header `Content-Type` (3.1.1 section 4.8.17.1). */
function byName(entries: Map<string, Cursor>): Map<string, Header> {
  const named = [...entries].map(([name, cursor]) => [name.toLowerCase(), { name, cursor }] as const)
  return new Map(named.filter(([name]) => name !== 'content-type'))
}

/**
 * The body's member that the service derives an ETag from and checks preconditions with. Undefined if it sends none
 * automatically.
 */
function filledFrom({ name, cursor }: Header): string | undefined {
  const expression = own(asObject(cursor.value), 'x-value')
  const isSent = name.toLowerCase() === 'etag' && bodyValue(expression) !== undefined
  return isSent ? String(expression) : undefined
}

function isRequired({ cursor }: Header): boolean {
  return own(asObject(cursor.value), 'required') === true
}
