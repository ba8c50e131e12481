import type { Contract } from './contract/contract.js'
import { mcpFaces, versionFaces } from './faces.js'
import { ServedVersion } from './served-version.js'
import type { Api, CallOptions } from './server/api/api.js'
import type { ApiOptions } from './server/api/options.js'

/**
 * Creates an api from a contract and handlers: both protocols, and in-process calls. Precomputes everything
 * that does not depend on a request. Throws an Error for an invalid setup: an operation without validators,
 * security without an `authenticate` hook, an unknown system zone, limits below 1.
 */
export function createApiOf<
  Types,
  Handlers,
  Principal = unknown,
  Scheme extends string = string,
  State = unknown,
  Body = unknown,
>(contract: Contract, options: ApiOptions<Handlers, Principal, Scheme, State, Body>): Api<Types, Principal> {
  const served = new ServedVersion<Principal>(contract, options as ApiOptions<unknown, Principal>)
  const only = { version: served }
  const call = (name: string, params: unknown, callOptions: CallOptions<Principal> = {}) =>
    served.call(name, params, callOptions)
  return {
    ...versionFaces(() => only),
    mcp: () => mcpFaces([served], () => only),
    port: (protocol) => served.port(protocol),
    call: call as Api<Types, Principal>['call'],
    flushUsage: () => served.flushUsage(),
  }
}
