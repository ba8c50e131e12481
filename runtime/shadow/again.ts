import type { Bound } from '../contract/bound.js'
import type { Contract } from '../contract/contract.js'
import type { Operation, Protocol } from '../contract/operation.js'
import { bindArguments } from '../mcp/server/tool-call.js'

/** How the calls of a protocol are tried on the next version. */
interface AgainRow {
  /** From the request's body and target, which the next version binds anew, or from the params that were bound. */
  readonly from: 'body' | 'params'
  /** The operation of the next version that has the call's name. Undefined: there is none, or callers use paths. */
  readonly named: (next: Contract, called: Operation) => Operation | undefined
  /** The params as the next version binds them. Absent: as they are. */
  readonly rebind?: (bound: Bound, called: Operation, next: Operation) => Bound
}

/** By protocol. A call that the next version would refuse is counted, and its caller gets the response of today. */
export const againOf: { readonly [protocol in Protocol]: AgainRow } = {
  rest: { from: 'body', named: () => undefined },
  jsonrpc: {
    from: 'params',
    named: ({ methods }, { rpc }) =>
      rpc !== false && Object.hasOwn(methods, rpc) ? methods[rpc] : undefined,
  },
  mcp: {
    from: 'params',
    named: ({ operations }, { tool }) =>
      Object.values(operations).find((one) => one.tool !== undefined && one.tool.name === tool?.name),
    rebind: rebound,
  },
}

/** The arguments of a tool, without the values that only this version's tool adds. */
function rebound({ params, timezone, violations }: Bound, { tool }: Operation, next: Operation): Bound {
  for (const name of Object.keys(tool?.fixed ?? {})) delete params[name]
  return { ...bindArguments(params, next.tool ?? { name: '' }, violations), timezone }
}
