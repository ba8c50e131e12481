import type { Bound } from '../contract/bound.js'
import type { Contract } from '../contract/contract.js'
import type { Operation, Protocol, ToolBinding } from '../contract/operation.js'
import { bindArguments } from '../mcp/server/tool-call.js'

/** The operation of the next version that callers by name reach. Undefined: there is none, or callers use paths. */
export function namedIn(
  { methods, operations }: Contract,
  called: Operation,
  protocol: Protocol,
): string | undefined {
  const found: { readonly [each in Protocol]: () => Operation | undefined } = {
    rest: () => undefined,
    jsonrpc: () =>
      called.rpc !== false && Object.hasOwn(methods, called.rpc) ? methods[called.rpc] : undefined,
    mcp: () =>
      Object.values(operations).find(({ tool }) => tool !== undefined && tool.name === called.tool?.name),
  }
  return found[protocol]()?.name
}

/** The arguments of a call to a tool as the next version's tool binds them: without the values that only this one adds. */
export function reboundCall(
  bound: Bound,
  tool: ToolBinding | undefined,
  next: ToolBinding | undefined,
): Bound {
  const { params, timezone, violations } = bound
  if (next === undefined) return bound
  for (const name of Object.keys(tool?.fixed ?? {})) delete params[name]
  return { ...bindArguments(params, next, violations), timezone }
}
