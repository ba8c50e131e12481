import type { ErrorCatalogue } from './catalogue.js'
import { performBatch } from './client-batch.js'
import { perform, planCall } from './client-call.js'
import type { CallOptions, ClientOptions, StreamOptions } from './client-options.js'
import { namedParams } from './client-params.js'
import { clientTree } from './client-tree.js'
import type { Operation } from './operation.js'
import type { CallAnswer, JsonRpcTransport, OutgoingCall, RestTransport } from './transport.js'

/** What a client has to know of one version of one document. */
export interface ClientContract {
  readonly operations: Readonly<Record<string, Operation>>
  readonly errors: ErrorCatalogue
}

/**
 * Builds the client of a document: `client.lnp.gateways.search(params?, options?)` for the operation
 * `lnp.gateways.search`, the generic `client.call(name, params?, options?)`, and, over JSON-RPC,
 * `client.batch` and `client.notify`. Where the first part of an operation's name is one of those three,
 * it stands there with a trailing underscore.
 *
 * Calls reject with ApiError (the service answered with a problem), TransportError (it did not answer),
 * TypeError or RangeError (the call cannot be sent as asked).
 *
 * @typeParam Client the generated interface, which the operations must match
 */
export function createClientOf<Client>(
  { operations, errors }: ClientContract,
  options: ClientOptions<RestTransport | JsonRpcTransport>,
): Client {
  const { transport } = options

  const outgoing = (name: string, params: unknown, timezone: string | undefined): OutgoingCall => {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (operation === undefined) throw new TypeError(`There is no operation ${JSON.stringify(name)}`)
    return { operation, params: namedParams(operation, errors, params, timezone) }
  }

  const call = async (name: string, params?: unknown, own: OwnOptions = {}): Promise<unknown> => {
    const sent = outgoing(name, params, own.timezone ?? options.timezone)
    const plan = planCall([sent], errors, options, own)
    if (own.as === undefined) return await perform(plan, (delivery) => transport.call(sent, delivery))
    if (transport.protocol === 'rest')
      return await perform(plan, (delivery) => transport.stream(sent, delivery))
    throw new TypeError(`${name}: a stream comes over REST alone`)
  }

  const members: Record<string, unknown> = { call }
  if (transport.protocol === 'jsonrpc') {
    members.batch = async (
      calls: readonly (readonly [name: string, params?: unknown])[],
      own: CallOptions = {},
    ): Promise<readonly CallAnswer[]> => {
      const timezone = own.timezone ?? options.timezone
      const sent = calls.map(([name, params]) => outgoing(name, params, timezone))
      if (sent.length === 0) return []
      const plan = planCall(sent, errors, options, own)
      return await performBatch(transport, sent, plan)
    }
    members.notify = async (name: string, params?: unknown, own: CallOptions = {}): Promise<void> => {
      const sent = outgoing(name, params, own.timezone ?? options.timezone)
      const plan = planCall([sent], errors, options, own)
      await perform(plan, (delivery) => transport.notify(sent, delivery))
    }
  }
  // The generated interface is written from the same table that the tree is built from.
  return clientTree(Object.keys(operations), call, members) as Client
}

/** Options of a call, whatever becomes of its answer. */
type OwnOptions = CallOptions & Partial<StreamOptions>
