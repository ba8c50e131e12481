import type { Finding } from '../change/collector.js'
import { isUnstable, lifecycleOf, mayEnd, type Notice } from '../change/lifecycle.js'
import type { Endpoint, Side } from '../change/side.js'
import { type Pairing, shapeOf } from '../pairing/pairing.js'
import { methodAdded, methodRemoved } from './endpoint.js'
import { type Tools, titleOf } from './parts/pair.js'

/** Reports operations that only one version has. */
export function existenceFacts(new_: Side, pairing: Pairing, tools: Tools): void {
  const { removed, added } = pairing
  const { collector, notice } = tools
  const paths = new Set(new_.endpoints.map(({ path, webhook }) => `${webhook} ${shapeOf(path)}`))
  for (const endpoint of removed) {
    const wholePath = !paths.has(`${endpoint.webhook} ${shapeOf(endpoint.path)}`)
    collector.add({ ...removal(endpoint, wholePath, notice), old: endpoint.operation }, endpoint)
  }
  for (const endpoint of added) {
    const id = endpoint.webhook ? 'webhook-added' : 'endpoint-added'
    collector.add({ id, message: `${titleOf(endpoint)} was added`, new: endpoint.operation }, endpoint)
  }
  methodsOf(pairing, tools)
}

/**
 * Reports names that only one version has, if another operation has the path and method. REST callers reach that one.
 */
function methodsOf({ pairs, added }: Pairing, tools: Tools): void {
  const called = pairs.filter(({ callers }) => callers !== 'path')
  for (const { old: before, new: after, callers } of pairs) {
    if (callers !== 'path') continue
    const ends = { before, after, tools }
    if (before.rpc !== false && !called.some((pair) => pair.old === before))
      methodRemoved(ends, before.rpc, before)
    const isNew = !added.includes(after) && !called.some((pair) => pair.new === after)
    if (after.rpc !== false && isNew) methodAdded(ends, after.rpc)
  }
}

/** Removal after the announced sunset is compatible. Earlier or unannounced removal breaks. */
function removal(endpoint: Endpoint, wholePath: boolean, notice: Notice): Finding {
  const title = titleOf(endpoint)
  if (endpoint.webhook) {
    const isAnnounced = mayEnd(endpoint.operation.value, notice)
    return {
      id: 'webhook-removed',
      message: `${title} was removed`,
      ...(isAnnounced && { level: 'compatible' as const }),
    }
  }
  const subject = wholePath ? 'api-path' : 'api'
  const { deprecated, sunset } = lifecycleOf(endpoint.operation.value)
  if (isUnstable(endpoint.operation.value))
    return { id: 'api-unstable-removed', message: `${title}, which was not yet stable, was removed` }
  if (!deprecated)
    return {
      id: `${subject}-removed-without-deprecation`,
      message: `${title} was removed without deprecation`,
    }
  if (sunset === 'invalid')
    return { id: 'api-path-sunset-parse', message: `${title} was removed; its sunset is not a date` }
  if (sunset !== undefined && sunset > notice.today)
    return {
      id: `${subject}-removed-before-sunset`,
      message: `${title} was removed before its sunset ${sunset}`,
    }
  const note = sunset === undefined ? 'its deprecation' : `its sunset ${sunset}`
  return { id: `${subject}-removed-with-deprecation`, message: `${title} was removed after ${note}` }
}
