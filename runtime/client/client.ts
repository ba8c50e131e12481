import type { Operation } from '../contract/operation.js'
import type { CallOptions, ClientContract, ClientOptions, StreamOptions } from './client-options.js'
import { Sender } from './client-sender.js'
import { streaming } from './client-stream.js'
import { clientTree } from './client-tree.js'
import type { Transport } from './transport.js'

/**
 * Creates the client of a document: `client.lnp.gateways.search(params?, options?)` for the operation
 * `lnp.gateways.search`, the generic `client.call(name, params?, options?)`, and, over JSON-RPC,
 * `client.batch` and `client.notify`. If an operation's name begins with one of those three, its first part
 * gets a trailing underscore.
 *
 * Calls reject with ApiError (the service answered with a problem), TransportError (it did not answer),
 * TypeError or RangeError (the call is invalid).
 *
 *
 * @throws TypeError for credentials that fit no security scheme
 * @throws TypeError for an invalid option
 * @typeParam Client the generated interface, which the operations must match
 */
export function createClientOf<Client>(contract: ClientContract, options: ClientOptions<Transport>): Client {
  const sender = new Sender(contract, options)
  const members: Record<string, unknown> = {
    call: async (name: string, params?: unknown, { as, ...own }: OwnOptions = {}) => {
      const response = as === 'stream' ? sender.content(name, params, own) : sender.respond(name, params, own)
      return (await response).data
    },
  }
  if ('batch' in options.transport) {
    members.batch = sender.batch.bind(sender)
    members.notify = sender.notify.bind(sender)
  }
  const methods = new Map<string, object>()
  for (const [name, operation] of Object.entries(contract.operations)) {
    methods.set(name, methodOf(sender, name, operation))
  }
  // The generator writes the interface from the same table as this tree.
  return clientTree(methods, members) as Client
}

/** Options of a call, whether its response is a stream or not. */
type OwnOptions = CallOptions & Partial<StreamOptions>

/**
 * The function that calls an operation, with `withResponse`, and with `stream` if the response may be one.
 */
function methodOf(sender: Sender, name: string, operation: Operation): object {
  const kind = streaming(operation)
  if (kind === 'always') return streamOf(sender, name)
  return withMembers(
    async (params?: unknown, own?: CallOptions) => (await sender.respond(name, params, own)).data,
    {
      withResponse: (params?: unknown, own?: CallOptions) => sender.respond(name, params, own),
      ...(kind === 'sometimes' && { stream: streamOf(sender, name) }),
    },
  )
}

function streamOf(sender: Sender, name: string): object {
  return withMembers(
    async function* (params?: unknown, own?: CallOptions) {
      yield* (await sender.stream(name, params, own)).data
    },
    { withResponse: (params?: unknown, own?: CallOptions) => sender.stream(name, params, own) },
  )
}

/**
 * Adds members that are not enumerable and may be overridden, so that operations with longer names can use
 * the same names.
 */
function withMembers(method: object, members: Readonly<Record<string, unknown>>): object {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(method, name, { value, configurable: true })
  }
  return method
}
