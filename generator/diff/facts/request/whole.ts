import type { Protocol } from 'duet-runtime'
import { objectOf, omitted } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { addToGroup } from '../../../document/grouping.js'
import { own } from '../../../document/json.js'
import { parsePointer } from '../../../document/pointer.js'
import type { Operation } from '../../../model/model.js'
import { fingerprint } from '../../../schema/canonical.js'
import { requiredOf } from '../../../schema/schema.js'
import { catalogueEntry } from '../../change/catalogue.js'
import type { Change } from '../../change/change.js'
import { levels } from '../../change/level.js'
import { isUnstable } from '../../change/lifecycle.js'
import { among, asCalled, callableProtocols, protocols, whereJson } from '../../change/protocol.js'
import { asObject } from '../../change/side.js'
import type { Sent, Wholes } from '../../decide/whole.js'
import { pick } from '../../same/within.js'
import { type OperationPair, report, type Tools } from '../parts/pair.js'

/**
 * Cross-checks the schema comparisons: if all changes of an operation's input or output are compatible, the whole must
 * be contained. Otherwise something was overlooked, and the operation breaks.
 */
export function wholeFacts(pairs: readonly OperationPair[], { collector, reach }: Tools): void {
  const changes = new Map<string, Change[]>()
  for (const change of collector.changes)
    for (const name of change.operations) addToGroup(changes, name, change)
  const different = reach.different()
  for (const pair of pairs) {
    const found = changes.get(pair.after.name) ?? []
    if (found.length > 0 || different.has(pair.after)) checkWhole(pair, found, reach.wholes)
  }
}

function checkWhole(pair: OperationPair, changes: readonly Change[], wholes: Wholes): void {
  const { before, after, old, new: fresh } = pair
  const [was, is] = [before.modelled, after.modelled]
  if (was === undefined || is === undefined || old.model === undefined || fresh.model === undefined) return
  if (isUnstable(before.operation.value)) return
  for (const direction of ['request', 'response'] as const) {
    const quiet = quietProtocols(pair, direction, changes)
    if (quiet.length === 0 || (direction === 'response' && hasBytes(was) !== hasBytes(is))) continue
    const sides = [
      { model: old.model, operation: withoutEnded(was, changes) },
      { model: fresh.model, operation: is },
    ] as const
    const isRequest = direction === 'request'
    const passed = wholes.passes(direction, ...sides)
    const found = isRequest || passed.verdict === 'not-contained' ? passed : wholes.reveals(...sides)
    if (found.verdict !== 'not-contained') continue
    const isOfTexts =
      areReadAlike(direction, was, is) || (isRequest && !areOnlyTextsRefused(wholes, ...sides))
    const protocols = quiet.filter((protocol) => isOfTexts || whereJson.includes(protocol))
    if (protocols.length === 0) continue
    report(pair, {
      id: isRequest ? 'request-params-narrowed' : 'response-result-widened',
      message:
        (isRequest
          ? 'params that the old version takes are refused as a whole'
          : 'the old version never gives some result of the new one') + causeIn(changes, direction),
      level: 'breaking',
      evidence: { witness: found.witness },
      ...{ old: before.operation, new: after.operation, protocols, values: [] },
    })
  }
}

/** The operation without the parameters that were removed as it had been announced: calls that still have one break nothing. */
function withoutEnded(operation: Operation, changes: readonly Change[]): Operation {
  const ended = changes.flatMap(({ id, level, path }) => {
    const isEnded = id === 'request-parameter-removed-with-deprecation' && level === 'compatible'
    return isEnded ? (parsePointer(path) ?? []).slice(0, 1) : []
  })
  if (ended.length === 0) return operation
  const params = asObject(operation.params)
  const properties = ended.reduce(omitted, asObject(own(params, 'properties')))
  const required = requiredOf(params).filter((name) => !ended.includes(name))
  return { ...operation, params: { ...params, properties, required } }
}

/** The change of a media type or status that REST reports, if there is one: JSON-RPC has no other name for it. */
function causeIn(changes: readonly Change[], direction: 'request' | 'response'): string {
  const causes = changes.filter(
    ({ id, protocols }) =>
      /-(media-type|status)-(added|removed)$/.test(id) &&
      catalogueEntry(id)?.direction === direction &&
      !among(protocols, whereJson),
  )
  const worst = levels.flatMap((level) => causes.filter((cause) => cause.level === level))[0]
  return worst === undefined ? '' : `: ${worst.message}`
}

/** The protocols without a dangerous change. None if JSON-RPC has one: a break is never reported for REST alone. */
function quietProtocols(
  { before, after }: OperationPair,
  direction: 'request' | 'response',
  changes: readonly Change[],
): Protocol[] {
  const bad = changes.filter(({ id, level }) => {
    const isBad = level === 'breaking' || level === 'dangerous'
    return isBad && (catalogueEntry(id)?.direction ?? direction) === direction
  })
  const isBad = (protocol: Protocol): boolean => bad.some(({ protocols }) => protocols.includes(protocol))
  const called = callableProtocols(protocols, asCalled(before, after))
  if (called.some((protocol) => whereJson.includes(protocol) && isBad(protocol))) return []
  return called.filter((protocol) => !isBad(protocol))
}

/** `carrierFacts` compares bytes with texts: no schema shows which texts are base64. */
function hasBytes({ rest: { answers = [] } }: Operation): boolean {
  return answers.some(({ kind }) => kind === 'binary')
}

/** Whether both versions read the same JSON from what REST carries. */
function areReadAlike(direction: 'request' | 'response', was: Operation, is: Operation): boolean {
  return fingerprint(viewOf(direction, was)) === fingerprint(viewOf(direction, is)) && isJson(direction, was)
}

/**
 * Whether the new version accepts the params if the schemas of those that REST reads from text accept any value. If
 * not, it refuses which params there are together, or JSON that REST carries as well.
 */
function areOnlyTextsRefused(wholes: Wholes, before: Sent, { model, operation }: Sent): boolean {
  const { properties, ...others } = asObject(operation.params)
  const json = new Set(jsonParams(before.operation).filter((name) => jsonParams(operation).includes(name)))
  const free = objectOf(
    Object.entries(asObject(properties)).map(
      ([name, schema]) =>
        [name, json.has(name) ? schema : pick(asObject(schema), ['default', 'readOnly'])] as const,
    ),
  )
  const params = { ...others, properties: free }
  return (
    wholes.passes('request', before, { model, operation: { ...operation, params } }).verdict === 'contained'
  )
}

/** The params that REST carries as JSON only. */
function jsonParams({ params, rest: { body, parameters } }: Operation): string[] {
  if (body === undefined || (body.media ?? []).some(({ kind }) => kind !== 'json')) return []
  const texts = new Set(parameters.filter(({ json }) => json !== true).map(({ param }) => param))
  const names =
    body.kind === 'param' ? [body.param ?? 'body'] : Object.keys(asObject(own(params, 'properties')))
  return names.filter((name) => !texts.has(name))
}

/** The parts of a REST operation that are not in the schema of its JSON. */
function viewOf(direction: 'request' | 'response', { params, rest }: Operation): Json {
  if (direction === 'response') {
    const { status, statuses, emptyStatus, bare } = rest
    return [status, statuses ?? [], emptyStatus ?? 0, bare ?? []]
  }
  const properties = asObject(own(params, 'properties'))
  const { kind = '', param = '', rename = {} } = rest.body ?? {}
  const texts = rest.parameters.map((one): Json => [JSON.stringify(one), own(properties, one.param) ?? null])
  return [kind, param, rename, texts]
}

function isJson(direction: 'request' | 'response', { rest }: Operation): boolean {
  if (direction === 'response') return rest.answers === undefined
  return (rest.body?.media ?? []).every(({ kind }) => kind === 'json')
}
