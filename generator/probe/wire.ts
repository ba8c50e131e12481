import type { Protocol } from 'duet-runtime'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { inCurrentRevision, posted, rpcRequest } from '../diff/proof/calls/reception.js'
import { refusalOf } from '../diff/proof/calls/refusal.js'
import { restRequest } from '../diff/proof/calls/request.js'
import { Service } from '../diff/proof/calls/service.js'
import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { own } from '../document/json.js'
import type { Model, Operation } from '../model/model.js'
import { credentials } from '../samples/credentials.js'
import { toolCall } from '../samples/tool-call.js'
import { fingerprint } from '../schema/canonical.js'
import type { Authentication } from './secrets.js'
import type { NoResponse, TargetResponse } from './target.js'

/** Where a server has the operations of a document. */
export interface Places {
  /** The path before those of the document, without a slash at its end. */
  readonly rest: string
  /** The path of JSON-RPC. Undefined if the server does not speak it. */
  readonly jsonrpc: string | undefined
  /** Undefined if the server does not speak MCP. */
  readonly mcp: ToolPlace | undefined
}

/** Where a server has its tools, and whether agents see all of them or the three that search, describe and call. */
export interface ToolPlace {
  readonly path: string
  readonly mode: 'each' | 'search'
  readonly listed: ListedTools
}

/** The answer to `tools/list`. */
interface ListedTools {
  readonly tools: readonly JsonObject[]
  /** Whether the list has no further pages. */
  readonly isWhole: boolean
  readonly request: HttpRequest
  readonly answer: TargetResponse | NoResponse
  readonly authentication: Authentication | undefined
}

/** A call whose params are JSON on the wire. */
export interface JsonCall {
  readonly protocol: Exclude<Protocol, 'rest'>
  readonly request: HttpRequest
  /** What the operation receives. */
  readonly params: JsonObject
  /** Whether that is another call: agents cannot send some params, others have one value. */
  readonly isAltered: boolean
}

/** Writes calls as the generated client does, and asks a service of the document whether it accepts them. */
export class Wire {
  readonly #service: Service

  constructor(
    readonly model: Model,
    readonly places: Places,
  ) {
    this.#service = new Service(model)
  }

  /** The request of a call without credentials. A reason if REST cannot carry it. */
  async rest(operation: Operation, params: JsonObject): Promise<HttpRequest | string> {
    if (!operation.routed) return 'requests reach another operation, whose path matches them, too'
    const { path, parameters } = operation.rest
    const inPath = parameters.filter((one) => one.in === 'path')
    const empty = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name).find((name) => {
      const binding = inPath.find((one) => one.name === name)
      return [undefined, null, ''].includes(binding && (own(params, binding.param) as string | undefined))
    })
    if (empty !== undefined) return `no value was found for ${empty} in its path`
    const request = await restRequest(operation, params)
    if (typeof request === 'string') return request
    // A document may leave out what a server has, so any media type will do, though declared ones are preferred.
    const accept = `${request.headers.accept ?? ''}, */*;q=0.1`
    return { ...request, headers: { ...request.headers, accept }, url: this.places.rest + request.url }
  }

  /** The requests of a call over the other protocols that the server speaks and the operation has. */
  asJson(operation: Operation, params: JsonObject): JsonCall[] {
    const { rpc } = operation
    const { jsonrpc } = this.places
    const asTool = this.#asTool(operation, params)
    if (rpc === false || jsonrpc === undefined) return asTool
    const request = rpcRequest(rpc, params, jsonrpc)
    return [{ protocol: 'jsonrpc', request, params, isAltered: false }, ...asTool]
  }

  #asTool(operation: Operation, params: JsonObject): JsonCall[] {
    const { mcp } = this.places
    const call = mcp && toolCall(operation, params, mcp.mode)
    if (mcp === undefined || call === undefined) return []
    const { headers, ...request } = inCurrentRevision(posted(call, mcp.path))
    const { fixed = {}, hidden = [] } = operation.tool ?? {}
    const received = objectOf([
      ...Object.entries(params).filter(([name]) => !hidden.includes(name)),
      ...Object.entries(fixed),
    ])
    return [
      {
        protocol: 'mcp',
        request: { ...request, headers: { ...headers, accept: toolTypes } },
        params: received,
        isAltered: fingerprint(received) !== fingerprint(params),
      },
    ]
  }

  /**
   * Whether the document allows a request over REST: a service that is generated from it accepts it. What a text in the
   * query or in the path means depends on the reader, so schemas of params cannot tell. `unknown`: no operation has its
   * path and method. `unclear`: refused for another reason than its values.
   */
  async allows(operation: Operation, { url, ...request }: HttpRequest): Promise<Allowance> {
    const path = this.model.basePath + url.slice(this.places.rest.length)
    // The service of a document accepts any credential, but asks for it.
    const { headers, query } = credentials(this.model, operation)
    const named = headers.map(([name, value]) => [name.toLowerCase(), value])
    const mark = path.includes('?') ? '&' : '?'
    const { reached, answer } = await this.#service.receive({
      ...request,
      url: query === '' ? path : `${path}${mark}${query}`,
      headers: { ...Object.fromEntries(named), ...request.headers },
    })
    if (reached !== undefined) return 'yes'
    if (answer.status === 404 || answer.status === 405) return 'unknown'
    return refusalOf(answer).violations.length > 0 ? 'no' : 'unclear'
  }
}

/** Every client must accept both (MCP 2026-07-28, Transports). */
export const toolTypes = 'application/json, text/event-stream'

export type Allowance = 'yes' | 'no' | 'unknown' | 'unclear'
