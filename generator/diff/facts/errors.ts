import { type Cursor, childPointer, member, rootCursor } from '../../document/cursor.js'
import { isArray } from '../../document/json.js'
import { whereNames, whereStatuses } from '../change/protocol.js'
import type { Endpoint, Side } from '../change/side.js'
import { compareSchemas, type OperationPair, presence, report, type Tools } from './parts/pair.js'

/** Compares the codes of the error catalogue that an operation lists. Callers must expect unknown codes. */
export function errorFacts(pair: OperationPair): void {
  const [olds, news] = [codesOf(pair.before), codesOf(pair.after)]
  const ends = { old: pair.before.operation, new: pair.after.operation }
  const say = (side: Side, code: string, how: 'added' | 'removed'): void => {
    const definition = side.model?.errors.get(code)
    const numbers = definition === undefined ? '' : ` (${definition.status}, ${definition.rpc})`
    const message = `the error ${code}${numbers} was ${how}`
    report(pair, { ...ends, id: `error-code-${how}`, message, values: [code] })
  }
  for (const code of olds) if (!news.includes(code)) say(pair.old, code, 'removed')
  for (const code of news) if (!olds.includes(code)) say(pair.new, code, 'added')
}

/** Compares the extension members of problems that an operation lists in both versions. */
export function errorMemberFacts(pair: OperationPair): void {
  for (const code of codesOf(pair.before)) {
    const [a, b] = [membersOf(pair.old, code), membersOf(pair.new, code)]
    const [was, is] = [pair.old, pair.new].map(({ model }) => model?.errors.get(code))
    if ((a ?? b) === undefined || was === undefined || is === undefined) continue
    const title = `the problem ${code}`
    const sent = { status: String(is.status), type: 'application/problem+json' }
    const subject = { direction: 'response', holder: 'body', title, path: '', variant: code, sent } as const
    if (a !== undefined && b !== undefined) compareSchemas(pair, subject, a, b)
    const judged =
      (a === undefined) === (b === undefined)
        ? undefined
        : presence(pair, subject, a ?? anyMembers, b ?? anyMembers)
    if (judged === undefined) continue
    const how = a === undefined ? 'added' : 'removed'
    report(pair, {
      ...judged,
      id: `response-body-media-type-schema-${how}`,
      message: `the members of ${title} were ${how}`,
      ...{ old: entryOf(pair.old, code), new: entryOf(pair.new, code), values: [code] },
    })
  }
}

const anyMembers: Cursor = { value: { type: 'object' }, pointer: '' }

/** The component that the catalogue names for the members of a code's problems. */
function membersOf(side: Side, code: string): Cursor | undefined {
  const name = side.model?.errorMembers.get(code)
  return name === undefined
    ? undefined
    : {
        value: { $ref: `#/components/schemas/${name}` },
        pointer: childPointer('', 'components', 'schemas', name),
      }
}

function codesOf({ operation }: Endpoint): string[] {
  const stated = member(operation, 'x-errors')?.value
  return isArray(stated) ? [...new Set(stated.filter((code) => typeof code === 'string'))] : []
}

/** Compares what the catalogue's codes become in each protocol: an HTTP status over REST, a number over JSON-RPC. */
export function errorCatalogueFacts(old: Side, new_: Side, { collector }: Tools): void {
  for (const [code, was] of old.model?.errors ?? []) {
    const is = new_.model?.errors.get(code)
    if (is === undefined) continue
    const ends = { old: entryOf(old, code), new: entryOf(new_, code) }
    const title = `the error ${code}`
    if (was.title !== is.title)
      collector.add({
        ...ends,
        id: 'error-title-changed',
        message: `${title} has the title ${JSON.stringify(is.title)} instead of ${JSON.stringify(was.title)}`,
        values: [code, was.title, is.title],
      })
    if (was.rpc !== is.rpc)
      collector.add({
        ...ends,
        id: 'error-rpc-code-changed',
        message: `${title} is ${is.rpc} over JSON-RPC instead of ${was.rpc}`,
        values: [code, was.rpc, is.rpc],
        protocols: whereNames,
      })
    if (was.status !== is.status)
      collector.add({
        ...ends,
        id: 'error-status-changed',
        message: `${title} is ${is.status} over REST instead of ${was.status}`,
        values: [code, was.status, is.status],
        protocols: whereStatuses,
      })
    const [before, after] = [was.rpcStatus ?? 200, is.rpcStatus ?? 200]
    if (before !== after)
      collector.add({
        ...ends,
        id: 'error-rpc-status-changed',
        message: `a JSON-RPC response with ${title} has the HTTP status ${after} instead of ${before}`,
        values: [code, before, after],
        protocols: whereNames,
      })
  }
}

/** The entry of a code in a document, if it has one. */
function entryOf({ document }: Side, code: string): Cursor | undefined {
  const catalogue = member(rootCursor(document), 'x-errors')
  const entry = catalogue && member(catalogue, code)
  return entry && { value: entry.value, pointer: childPointer('', 'x-errors', code) }
}
