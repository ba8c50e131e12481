import type { BuiltInErrorCode } from '../contract/catalogue.js'
import { type ApiError, isApiError } from './client-error.js'
import type { CallOptions, StreamOptions } from './client-options.js'
import type { Auth } from './credentials/client-auth.js'
import type { ClientResponse } from './transport.js'

/**
 * Calls by name, over either transport. `Types` is the generated `OperationTypes`, `Own` the document's credentials.
 */
export interface ClientCalls<Types, Own extends Auth = Auth> {
  /**
   * Streams the content of a successful response: a large file, server-sent events, JSON lines. The timeout
   * bounds the wait for the response's head; the signal or the stream's `cancel` ends the stream at any time.
   * REST only, since a JSON-RPC response is one JSON value. Throws as the other calls do; a later failure
   * errors the stream with a TransportError.
   */
  call<Name extends NameOf<Types>>(
    name: Name,
    params: ParamsOf<Types, Name>,
    options: StreamOptions<Own>,
  ): Promise<ReadableStream<Uint8Array>>
  /**
   * @throws ApiError, also for params that REST cannot carry; TransportError; TypeError if the call is
   * invalid
   */
  call<Name extends NameOf<Types>>(
    name: Name,
    ...rest: CallArguments<ParamsOf<Types, Name>, Own>
  ): Promise<ResultOf<Types, Name>>
}

/**
 * Calls that only JSON-RPC offers. `Types` is the generated `OperationTypes`, `Own` the document's
 * credentials.
 */
export interface JsonRpcCalls<Types, Own extends Auth = Auth> {
  /**
   * Sends several calls in one request (JSON-RPC 2.0 section 6); sends nothing for an empty list. Retries
   * only if every call is idempotent or has an idempotency key, and only the calls that failed.
   *
   * @returns the outcome of each call, in the order of the calls
   * @throws ApiError if the service refused the whole batch; TransportError
   */
  batch<const Names extends readonly NameOf<Types>[]>(
    calls: BatchCalls<Types, Names>,
    options?: CallOptions<Own>,
  ): Promise<BatchOutcomes<Types, Names>>
  /**
   * Sends a call without a response (JSON-RPC 2.0 section 4.1). Resolves when the service has accepted the
   * request; the call may still fail.
   */
  notify<Name extends NameOf<Types>>(
    name: Name,
    ...rest: CallArguments<ParamsOf<Types, Name>, Own>
  ): Promise<void>
}

/** A method of the client. `Types` is the operation's entry in the generated `OperationTypes`. */
export interface ClientMethod<Types, Own extends Auth = Auth> {
  (...args: CallArguments<PartOf<Types, 'params'>, Own>): Promise<PartOf<Types, 'result'>>
  /**
   * The same call; resolves with the response's status and headers too. If they and the data differ by
   * status, checking `status` narrows the others.
   */
  withResponse(...args: CallArguments<PartOf<Types, 'params'>, Own>): Promise<ResponseOf<Types>>
}

/**
 * A method whose response is a stream. It yields pieces as they arrive. The request is sent when the first
 * piece is requested. The timeout and retries apply until the response begins; over JSON-RPC nothing is
 * retried. `break` and the signal close the connection. A broken connection and a piece that is not JSON
 * throw a TransportError.
 */
export interface StreamMethod<Types, Own extends Auth = Auth> {
  (...args: CallArguments<PartOf<Types, 'params'>, Own>): AsyncGenerator<PieceOf<Types>, void, undefined>
  /**
   * Sends the request at once; resolves with the response's status and headers. Read its data or call its
   * `return`, or the connection stays open.
   */
  withResponse(
    ...args: CallArguments<PartOf<Types, 'params'>, Own>
  ): Promise<ResponseOf<Types, AsyncGenerator<PieceOf<Types>, void, undefined>>>
}

/** A method whose response may be a stream. */
export interface StreamableMethod<Types, Own extends Auth = Auth> extends ClientMethod<Types, Own> {
  /** The same call, if its response must be a stream. */
  readonly stream: StreamMethod<Types, Own>
}

/** Params and options of a call. Params are optional if none is required. */
export type CallArguments<Params, Own extends Auth = Auth> =
  Record<never, never> extends Params
    ? [params?: Params, options?: CallOptions<Own>]
    : [params: Params, options?: CallOptions<Own>]

/** Calls of a batch: `['clients.get', { id: 1 }]` each. */
export type BatchCalls<Types, Names extends readonly NameOf<Types>[]> = {
  readonly [Index in keyof Names]: readonly [name: Names[Index], params: ParamsOf<Types, Names[Index]>]
}

/** Outcomes of a batch, in the order of its calls. */
export type BatchOutcomes<Types, Names extends readonly NameOf<Types>[]> = {
  -readonly [Index in keyof Names]: Outcome<
    ResultOf<Types, Names[Index]>,
    ErrorOf<Types, Names[Index]>,
    BodyOf<Types, Names[Index]>
  >
}

/** How one call of a batch ended. `Code` lists the declared codes; a newer service may send others. */
export type Outcome<Result, Code extends string = string, Body = unknown> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: ApiError<Code | UnlistedCode, Body> }

/**
 * `isApiError` of a document. The codes are those of the given operation or of all operations, the built-in
 * ones, and `unknown_error` for a response without a code. `Members` are the extension members of problems,
 * by code.
 */
export type ErrorCheck<Types, Members> = <
  Name extends NameOf<Types>,
  Code extends ErrorOf<Types, Name> | BuiltInErrorCode | 'unknown_error',
>(
  error: unknown,
  code?: Code,
  operation?: Name,
) => error is ApiError<Code, BodyOf<Types, Name>, Code extends keyof Members ? Members[Code] : unknown>

/** The `isApiError` of a document's types. */
export function errorCheckOf<Types, Members>(): ErrorCheck<Types, Members> {
  return isApiError as ErrorCheck<Types, Members>
}

/** Any other string, in a form that lets editors still suggest the listed codes. */
type UnlistedCode = string & Record<never, never>

type PartOf<Types, Key extends string> = Types extends { readonly [Name in Key]: infer Part } ? Part : never
type PieceOf<Types> = Types extends { piece: infer Piece } ? Piece : unknown

/** @typeParam Stream the data of a stream, whatever its status */
type ResponseOf<Types, Stream = never> = Types extends { byStatus: infer Each }
  ? StatusResponse<Each, Stream> | ClientResponse<DataOf<Types, Stream>, undefined, HeadersOf<Types>>
  : ClientResponse<DataOf<Types, Stream>, PartOf<Types, 'status'>, HeadersOf<Types>>
/** Distributes over the alternatives. */
type StatusResponse<Each, Stream> = Each extends { status: infer Status; result: infer Result }
  ? ClientResponse<[Stream] extends [never] ? Result : Stream, Status, HeadersOf<Each>>
  : never
type DataOf<Types, Stream> = [Stream] extends [never] ? PartOf<Types, 'result'> : Stream
type HeadersOf<Types> = Types extends { headers: infer Headers }
  ? Readonly<Headers>
  : Readonly<Record<never, never>>

type NameOf<Types> = keyof Types & string
type ParamsOf<Types, Name extends NameOf<Types>> = Types[Name] extends { params: infer Params }
  ? Params
  : never
type ResultOf<Types, Name extends NameOf<Types>> = Types[Name] extends { result: infer Result }
  ? Result
  : never
type ErrorOf<Types, Name extends NameOf<Types>> = Types[Name] extends { errors: infer Code extends string }
  ? Code
  : never
type BodyOf<Types, Name extends NameOf<Types>> = Types[Name] extends { body: infer Body } ? Body : unknown
