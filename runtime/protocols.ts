import type { Contract } from './contract/contract.js'
import type { HttpRequest } from './contract/http-request.js'
import type { Protocol } from './contract/operation.js'
import { type BodyRules, withoutMemory } from './http/body.js'
import type { Exchange } from './http/exchange.js'
import { JsonRpcHandler } from './jsonrpc/server/handler.js'
import { McpHandler } from './mcp/server/handler.js'
import { RestHandler } from './rest/server/handler.js'
import type { Limits } from './server/api/limits.js'
import type { McpOptions } from './server/api/options.js'
import type { Dispatcher } from './server/dispatch.js'
import type { Procedure } from './server/procedure.js'
import type { Eventual } from './values/eventual.js'

/** What every protocol's server side is made of. */
interface Parts<Principal> {
  readonly contract: Contract
  readonly procedures: ReadonlyMap<string, Procedure>
  readonly dispatcher: Dispatcher<Principal>
  readonly limits: Limits
  readonly bodies: BodyRules
  readonly mcp: McpOptions | undefined
}

/** The server side of a protocol. */
interface ProtocolServer<Principal> {
  /** Answers a request that the protocol receives. False if it has no operation for the request. */
  answer(exchange: Exchange<Principal>): Eventual<boolean>
}

/** A protocol whose calls all have one address. */
export interface EndpointServer<Principal> extends ProtocolServer<Principal> {
  /** Below the base path. */
  readonly endpoint: {
    readonly path: string
    readonly method: string
    /** Its path has no page of the service: other methods are 405. */
    readonly isAlone?: true
  }
  /** Whether a request is the protocol's, although it has another address. */
  isElsewhere?(request: HttpRequest): boolean
  /** Answers a request that contains no valid call. */
  refuse(exchange: Exchange<Principal>, error: unknown, headers?: Readonly<Record<string, string>>): void
}

/**
 * REST has the operations' own paths, so it receives every request that no endpoint does. A contract without tools has
 * no MCP.
 */
export type ProtocolServers<Principal> = { readonly rest: RestHandler<Principal> } & {
  readonly [protocol in Exclude<Protocol, 'rest'>]: EndpointServer<Principal> | undefined
}

/**
 * The server side of each protocol. `Transports` lists the clients' sides: a browser loads no server.
 *
 * @throws Error for routes and methods that the contract cannot have
 */
export function protocolServers<Principal>({
  contract,
  procedures,
  dispatcher,
  limits,
  bodies,
  mcp,
}: Parts<Principal>): ProtocolServers<Principal> {
  // Only REST binds from the body of a request, whose calls are not known before.
  const others = withoutMemory(bodies)
  return {
    rest: new RestHandler(contract, procedures, dispatcher, limits, bodies),
    jsonrpc: new JsonRpcHandler(contract, procedures, dispatcher, limits, others),
    mcp:
      contract.mcp === undefined
        ? undefined
        : new McpHandler(contract, procedures, dispatcher, limits, others, mcp),
  }
}

/** The protocols whose calls all have one address, by name. */
export function endpointsOf<Principal>({
  rest: _,
  ...others
}: ProtocolServers<Principal>): readonly ProtocolEndpoint<Principal>[] {
  return Object.entries(others).flatMap(([protocol, server]) =>
    server === undefined ? [] : [{ protocol: protocol as keyof typeof others, server }],
  )
}

export interface ProtocolEndpoint<Principal> {
  readonly protocol: Protocol
  readonly server: EndpointServer<Principal>
}
