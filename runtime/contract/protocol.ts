/**
 * The protocols over which every operation can be called. A new one is a name here, a folder with `server/`
 * and `client/`, and an entry in `runtime/protocols.ts` and in `Transports`. The compiler names every other
 * place.
 */
export type Protocol = 'rest' | 'jsonrpc'
