/** What generated clients import. It runs in browsers. */
export { createClientOf } from './client/client.js'
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
} from './client/client-calls.js'
export { ApiError, isApiError, TransportError, type TransportFailure } from './client/client-error.js'
export type {
  AroundCall,
  CallOptions,
  ClientContract,
  ClientOptions,
  Deprecated,
  RunCall,
  StreamOptions,
} from './client/client-options.js'
export {
  type Auth,
  ambient,
  apiKey,
  authorization,
  basic,
  bearer,
  type Credential,
  type Secret,
} from './client/credentials/client-auth.js'
export { type IssuedToken, type RenewingTokenOptions, renewingToken } from './client/credentials/token.js'
export type { RetryOptions } from './client/retry.js'
export type {
  ClientResponse,
  Fetch,
  FetchRequest,
  FetchResponse,
  HeaderReader,
  JsonRpcTransport,
  RestTransport,
  Transports,
} from './client/transport.js'
export type { Operation } from './contract/operation.js'
export type { Problem, Violation } from './contract/problem-details.js'
export { type JsonRpcTransportOptions, jsonrpc } from './jsonrpc/client/transport.js'
export { type RestTransportOptions, rest } from './rest/client/transport.js'
export { readEvents, type ServerSentEvent } from './values/event-reader.js'
export { readValues } from './values/value-reader.js'
