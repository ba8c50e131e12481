import type { ClientProtocol } from 'duet-runtime'
import { join, type Name, typeNamed } from '../code/code.js'

/** The client side of a protocol. The function that creates its transport has the protocol's name. */
interface ClientSide {
  readonly transport: Name
  /** Calls that only clients of this protocol have. */
  readonly more?: { readonly doc: string; readonly calls: Name; readonly client: Name }
}

const runtime = (name: string) => typeNamed('duet-runtime/client', name)

const sideOf: { readonly [protocol in ClientProtocol]: ClientSide } = {
  rest: { transport: runtime('RestTransport') },
  jsonrpc: {
    transport: runtime('JsonRpcTransport'),
    more: {
      doc: 'Over JSON-RPC also `batch` and `notify`.',
      calls: runtime('JsonRpcCalls'),
      client: typeNamed('./client.js', 'JsonRpcClient'),
    },
  },
}
/** The names of the protocols, and of the functions that create their transports. */
export const protocols = Object.keys(sideOf)
export const sides: readonly ClientSide[] = Object.values(sideOf)
export const anyTransport = join(
  sides.map(({ transport }) => transport),
  ' | ',
)
