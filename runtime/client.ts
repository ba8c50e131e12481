export { createClientOf } from './core/client.js'
export {
  type Auth,
  ambient,
  apiKey,
  authorization,
  basic,
  bearer,
  type Credential,
  type Secret,
} from './core/client-auth.js'
export {
  type BatchCalls,
  type BatchOutcomes,
  type CallArguments,
  type ClientCalls,
  type ClientMethod,
  type ErrorCheck,
  errorCheckOf,
  type JsonRpcCalls,
  type Outcome,
  type StreamableMethod,
  type StreamMethod,
} from './core/client-calls.js'
export { ApiError, isApiError, TransportError, type TransportFailure } from './core/client-error.js'
export type {
  AroundCall,
  CallOptions,
  ClientContract,
  ClientOptions,
  RunCall,
  StreamOptions,
} from './core/client-options.js'
export { readEvents, type ServerSentEvent } from './core/event-reader.js'
export type { Operation } from './core/operation.js'
export type { Problem, Violation } from './core/problem.js'
export type { RetryOptions } from './core/retry.js'
export { type IssuedToken, type RenewingTokenOptions, renewingToken } from './core/token.js'
export type {
  ClientResponse,
  Fetch,
  FetchRequest,
  FetchResponse,
  HeaderReader,
  JsonRpcTransport,
  RestTransport,
} from './core/transport.js'
export { readValues } from './core/value-reader.js'
export { type JsonRpcTransportOptions, jsonrpc } from './jsonrpc/transport.js'
export { type RestTransportOptions, rest } from './rest/transport.js'
