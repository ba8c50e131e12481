import type { Protocol } from 'duet-runtime'
import { type Cursor, elements, member } from '../../document/cursor.js'
import { isObject, own } from '../../document/json.js'
import type { ChangeId } from '../change/catalogue.js'
import { mayEnd } from '../change/lifecycle.js'
import { among, whereNames, wherePaths } from '../change/protocol.js'
import type { Endpoint } from '../change/side.js'
import { haveSamePath, haveSameRoute, isRouted } from '../pairing/pairing.js'
import { nearer } from '../pairing/similarity.js'
import { type OperationPair, report, titleOf } from './parts/pair.js'
import { readIn, writtenOut } from './request/parameter.js'

/** Compares path, method, name, tags and operationId of an operation. */
export function endpointFacts(pair: OperationPair): void {
  const { before, after } = pair
  const ends = { old: before.operation, new: after.operation }
  const said: Say = (id, message, old, fresh, where) =>
    report(pair, { ...ends, id, message, values: [old, fresh], protocols: where })
  if (!haveSamePath(before, after))
    report(pair, {
      ...{ ...ends, id: 'endpoint-path-changed', values: [before.path, after.path], protocols: wherePaths },
      ...((writtenOut(pair) ?? readIn(pair)) !== undefined && { level: 'compatible' }),
      message: haveSameBase(before, after)
        ? `${titleOf(before)} moved to ${after.path}`
        : `${before.method} ${before.fullPath} moved to ${after.fullPath}`,
    })
  // GET answers HEAD if a path has no HEAD.
  const isHead = before.method === 'HEAD' && after.method === 'GET' && haveSamePath(before, after)
  if (before.method !== after.method)
    report(pair, {
      ...ends,
      id: 'endpoint-method-changed',
      message: isHead
        ? `${titleOf(before)} was removed, and GET answers it`
        : `${titleOf(before)} became ${after.method}`,
      ...(isHead && { level: 'compatible' as const }),
      values: [before.method, after.method],
      // Webhooks are sent over HTTP with either protocol.
      ...(!before.webhook && { protocols: wherePaths }),
    })
  spelling(pair, ends)
  parted(pair)
  rpcName(pair, said)
  operationId(pair, ends)
  tags(pair, ends)
  paramsClash(pair, ends)
}

/**
 * Reports a name whose callers reach another operation than those of its path. Of the two, the one that is more like the
 * old operation shows whether names or paths changed, or else an `operationId` that stayed at its path. Unless that is the
 * one with the path, REST callers may reach another operation, since handlers follow the names.
 */
function parted(pair: OperationPair): void {
  const { before, after, protocols, new: fresh } = pair
  const [was, is] = [titleOf(before), titleOf(after)]
  if (protocols === undefined || among(protocols, wherePaths) || after.rpc === false || was === is) return
  const other = fresh.endpoints.find((one) => isRouted(one) && haveSameRoute(before, one))
  const gap = other === undefined || other === after ? undefined : nearer(before, other, after)
  const found = { old: before.operation, new: after.operation, values: [was, is] }
  const hasStayed = before.operationId !== undefined && other?.operationId === before.operationId
  const isRenamed = gap !== undefined && (gap > 0 || (gap === 0 && hasStayed))
  report(pair, {
    ...{ ...found, id: 'rpc-method-moved', protocols: whereNames },
    ...(isRenamed && { level: hasStayed ? ('breaking' as const) : ('dangerous' as const) }),
    message: `${after.rpc} is ${is} instead of ${was}`,
  })
  if (gap === undefined || isRenamed) return
  report(
    { ...pair, protocols: wherePaths },
    {
      ...{ ...found, id: 'endpoint-path-changed', level: 'dangerous' },
      message: `${was} is now ${other?.name}: perhaps it moved to ${after.path}, perhaps only names changed`,
    },
  )
}

/** A method of `additionalOperations` is sent as it is written (OpenAPI 3.2). Duet accepts it in upper case. */
function spelling(pair: OperationPair, ends: { old: Cursor; new: Cursor }): void {
  const [was, is] = [ends.old, ends.new].map(
    ({ pointer }) => /\/additionalOperations\/([^/]+)$/.exec(pointer)?.[1],
  )
  if (was === is || is === undefined || was?.toUpperCase() !== is.toUpperCase()) return
  const message = `${titleOf(pair.before)} is sent with the method ${is} instead of ${was}`
  const finding = { id: 'endpoint-method-changed', level: 'dangerous', message, values: [was, is] } as const
  report(pair, { ...ends, ...finding, protocols: wherePaths })
}

/** Two params of the new version have the same name, so a call is ambiguous. */
function paramsClash(pair: OperationPair, ends: { old: Cursor; new: Cursor }): void {
  const was = pair.old.flaws.clashes.get(pair.before.operation.pointer)
  const is = pair.new.flaws.clashes.get(pair.after.operation.pointer)
  if (is === undefined || was !== undefined) return
  const message = `no service can be generated: ${is}`
  report(pair, { ...ends, id: 'request-params-clash', message })
}

function haveSameBase(...endpoints: readonly Endpoint[]): boolean {
  const [one, other] = endpoints.map(({ path, fullPath }) => fullPath.slice(0, -path.length))
  return one === other
}

type Say = (id: ChangeId, message: string, old: string, fresh: string, where: readonly Protocol[]) => void

function rpcName(pair: OperationPair, say: Say): void {
  const { before, after } = pair
  const [old, fresh] = [before.rpc, after.rpc]
  if (old === fresh || before.webhook || (pair.protocols !== undefined && !among(pair.protocols, whereNames)))
    return
  // Without a model, the placeholder for a missing name is not a method name.
  const known = [before, after].every(({ isNamed, modelled }) => isNamed || modelled !== undefined)
  if (old !== false && fresh !== false && !known) return
  if (old !== false && fresh !== false)
    say('rpc-method-renamed', `${old} is now called ${fresh}`, old, fresh, whereNames)
  else if (fresh !== false) methodAdded(pair, fresh)
  else if (old !== false) methodRemoved(pair, old)
}

type Ends = Pick<OperationPair, 'before' | 'after' | 'tools'>

/** Reports a name that can be called now. */
export function methodAdded({ before, after, tools }: Ends, name: string): void {
  const message = `${name} can be called over JSON-RPC`
  const ends = { old: before.operation, new: after.operation, protocols: whereNames }
  tools.collector.add({ ...ends, id: 'rpc-method-added', message, values: [name] }, after)
}

/** Reports it like the removal of an operation: after the announced sunset it breaks nothing. */
export function methodRemoved({ before, after, tools }: Ends, name: string, called = after): void {
  const level = mayEnd(before.operation.value, tools.notice) ? 'compatible' : 'breaking'
  const message = `${name} can no longer be called over JSON-RPC`
  const ends = { old: before.operation, new: after.operation, protocols: whereNames }
  const finding = { ...ends, id: 'rpc-method-removed', message, level, values: [name] } as const
  tools.collector.add(finding, { ...called, rpc: name })
}

function operationId(pair: OperationPair, ends: { old: Cursor; new: Cursor }): void {
  const [old, fresh] = [pair.before.operationId, pair.after.operationId]
  if (old === fresh) return
  const how = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed'
  const message = `operationId ${how}: ${[old, fresh].filter((id) => id !== undefined).join(' to ')}`
  const id = `api-operation-id-${old === undefined ? 'added' : 'removed'}` as const
  report(pair, { ...ends, id, message, values: [old, fresh] })
}

function tags(pair: OperationPair, ends: { old: Cursor; new: Cursor }): void {
  const [old, fresh] = [tagsOf(pair.before.operation), tagsOf(pair.after.operation)]
  for (const tag of old)
    if (!fresh.includes(tag))
      report(pair, { ...ends, id: 'api-tag-removed', message: `tag ${tag} removed`, values: [tag] })
  for (const tag of fresh)
    if (!old.includes(tag))
      report(pair, { ...ends, id: 'api-tag-added', message: `tag ${tag} added`, values: [tag] })
}

function tagsOf(operation: Cursor): string[] {
  if (!isObject(operation.value) || own(operation.value, 'tags') === undefined) return []
  return elements(member(operation, 'tags')).flatMap(({ value }) => (typeof value === 'string' ? value : []))
}
