import { nativeInt64 } from '../contract/int64.js'
import { checkClientOptions } from './checked-client-options.js'
import { performBatch } from './client-batch.js'
import { type CallPlan, perform, planCall } from './client-call.js'
import type { CallOptions, ClientContract, ClientOptions } from './client-options.js'
import { namedParams } from './client-params.js'
import { arrivingPieces } from './client-stream.js'
import { configuredSchemes } from './credentials/client-security.js'
import type {
  CallOutcome,
  ClientResponse,
  Delivery,
  JsonRpcTransport,
  OutgoingCall,
  Transport,
} from './transport.js'
import { checkedHeader } from './transport-exchange.js'

/** Sends the calls of one client with its options. */
export class Sender {
  readonly #contract: ClientContract
  readonly #options: ClientOptions<Transport>

  /** @throws TypeError for invalid options, and for credentials that fit no security scheme */
  constructor(contract: ClientContract, options: ClientOptions<Transport>) {
    this.#contract = contract
    this.#options = options
    checkClientOptions(options)
    for (const [name, value] of Object.entries(options.headers ?? {})) checkedHeader(name, value)
    configuredSchemes(contract.securitySchemes, options.auth)
  }

  /** A call whose response is read as a whole. */
  async respond(name: string, params: unknown, own: CallOptions = {}): Promise<ClientResponse> {
    const { transport } = this.#options
    const sent = this.#outgoing(name, params, own)
    return await this.#send([sent], own, (delivery) => transport.call(sent, delivery))
  }

  /**
   * A call whose response is read in pieces. Over JSON-RPC it is never retried: a failure does not show whether the
   * stream had begun.
   */
  async stream(
    name: string,
    params: unknown,
    own: CallOptions = {},
  ): Promise<ClientResponse<AsyncIterable<unknown>>> {
    const { transport } = this.#options
    const sent = this.#outgoing(name, params, own)
    const once = 'stream' in transport ? own : { ...own, retry: false as const }
    const response = await this.#send([sent], once, async (delivery) => {
      if ('stream' in transport) {
        const answer = await transport.stream(sent, delivery)
        return { ...answer, data: await arrivingPieces(sent.operation, answer) }
      }
      return await transport.pieces(sent, delivery)
    })
    return response as ClientResponse<AsyncIterable<unknown>>
  }

  /** A call whose response is read as a stream of bytes. */
  async content(name: string, params: unknown, own: CallOptions): Promise<ClientResponse> {
    const { transport } = this.#options
    const sent = this.#outgoing(name, params, own)
    if (!('stream' in transport)) throw new TypeError(`${name}: streams work only over REST`)
    return await this.#send([sent], own, (delivery) => transport.stream(sent, delivery))
  }

  async batch(
    calls: readonly (readonly [name: string, params?: unknown])[],
    own: CallOptions = {},
  ): Promise<readonly CallOutcome[]> {
    const transport = this.#jsonRpc
    const sent = calls.map(([name, params]) => this.#outgoing(name, params, own))
    if (sent.length === 0) return []
    const perform = async (plan: CallPlan) => unheaded(await performBatch(transport, sent, plan))
    const { data } = await this.#around(sent, own, perform)
    return data as readonly CallOutcome[]
  }

  async notify(name: string, params?: unknown, own: CallOptions = {}): Promise<void> {
    const transport = this.#jsonRpc
    const sent = this.#outgoing(name, params, own)
    await this.#send([sent], own, async (delivery) => unheaded(await transport.notify(sent, delivery)))
  }

  get #jsonRpc(): JsonRpcTransport {
    const { transport } = this.#options
    if ('batch' in transport) return transport
    throw new TypeError('Batches and notifications work only over JSON-RPC')
  }

  #outgoing(name: string, params: unknown, own: CallOptions): OutgoingCall {
    const { operations, errors } = this.#contract
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (operation === undefined) throw new TypeError(`There is no operation ${JSON.stringify(name)}`)
    const timezone = own.timezone ?? this.#options.timezone
    return { operation, params: namedParams(operation, errors, params, timezone) }
  }

  #send(
    calls: readonly OutgoingCall[],
    own: CallOptions,
    attempt: (delivery: Delivery) => Promise<ClientResponse>,
  ): Promise<ClientResponse> {
    return this.#around(calls, own, (plan) => perform(plan, attempt))
  }

  async #around(
    calls: readonly OutgoingCall[],
    own: CallOptions,
    send: (plan: CallPlan) => Promise<ClientResponse>,
  ): Promise<ClientResponse> {
    const { around, transport } = this.#options
    const plan = planCall(calls, this.#contract, this.#options, own)
    if (around === undefined) return await send(plan)
    const params = calls.map(({ operation: { int64 }, params }) =>
      int64 === undefined ? params : nativeInt64(params, int64.as, int64.params),
    )
    const call = {
      operation: plan.name,
      protocol: transport.protocol,
      params: calls.length === 1 ? params[0] : params,
    }
    return await around(call, ({ headers = {} } = {}) =>
      send({ ...plan, headers: [headers, ...plan.headers] }),
    )
  }
}

/** The calls of a batch share one HTTP response, so none has a status or headers of its own. */
function unheaded(data: unknown): ClientResponse {
  return { data, status: undefined, headers: {}, rawHeaders: { get: () => null } }
}
