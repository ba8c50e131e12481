import type { BuiltInErrorCode } from '../contract/catalogue.js'
import type { Auth } from './client-auth.js'
import { type ApiError, isApiError } from './client-error.js'
import type { CallOptions, StreamOptions } from './client-options.js'
import type { ClientResponse } from './transport.js'

/** Calls by name, over either transport. `Types` is the generated `OperationTypes`, `Own` the document's credentials. */
export interface ClientCalls<Types, Own extends Auth = Auth> {
  /**
   * The content of a success as it comes in, uncollected: a large file, server-sent events, JSON lines. The
   * timeout bounds the wait for its beginning; the signal ends it at any time, and so does its `cancel`. Over
   * REST alone, since an envelope of JSON-RPC is whole. Throws as the other calls do; what breaks later fails
   * the stream with a TransportError.
   */
  call<Name extends NameOf<Types>>(
    name: Name,
    params: ParamsOf<Types, Name>,
    options: StreamOptions<Own>,
  ): Promise<ReadableStream<Uint8Array>>
  /**
   * Throws ApiError, also for params that REST has no way to carry; TransportError; TypeError for what is no
   * call at all.
   */
  call<Name extends NameOf<Types>>(
    name: Name,
    ...rest: CallArguments<ParamsOf<Types, Name>, Own>
  ): Promise<ResultOf<Types, Name>>
}

/** What JSON-RPC alone can do. `Types` is the generated `OperationTypes`, `Own` the document's credentials. */
export interface JsonRpcCalls<Types, Own extends Auth = Auth> {
  /**
   * Sends several calls in one request (JSON-RPC 2.0 section 6); none for an empty list. Retried only
   * where every call is idempotent or has an idempotency key, and then only those calls that failed.
   *
   * @returns the outcome of each call, in the order of the calls
   * @throws ApiError where the service refused the batch as a whole; TransportError
   */
  batch<const Names extends readonly NameOf<Types>[]>(
    calls: BatchCalls<Types, Names>,
    options?: CallOptions<Own>,
  ): Promise<BatchOutcomes<Types, Names>>
  /**
   * Sends a call that has no answer (JSON-RPC 2.0 section 4.1): it ends when the service has taken the
   * request, which says nothing of success.
   */
  notify<Name extends NameOf<Types>>(
    name: Name,
    ...rest: CallArguments<ParamsOf<Types, Name>, Own>
  ): Promise<void>
}

/** A method of the client. `Types` are those of its operation in the generated `OperationTypes`. */
export interface ClientMethod<Types, Own extends Auth = Auth> {
  (...args: CallArguments<PartOf<Types, 'params'>, Own>): Promise<PartOf<Types, 'result'>>
  /** The same call, with the status and the headers of its answer. */
  withResponse(
    ...args: CallArguments<PartOf<Types, 'params'>, Own>
  ): Promise<ResponseOf<Types, PartOf<Types, 'result'>>>
}

/**
 * A method whose answer is a stream. Its pieces are read as they come in over REST, and from the whole answer over JSON-RPC.
 * The request is sent when the first piece is asked for. The timeout and retries end with the answer's beginning;
 * `break` and the signal end the connection. A broken connection and a piece that is no JSON throw a TransportError.
 */
export interface StreamMethod<Types, Own extends Auth = Auth> {
  (...args: CallArguments<PartOf<Types, 'params'>, Own>): AsyncGenerator<PieceOf<Types>, void, undefined>
  /** Sends the request at once, with the status and the headers of the answer. Its data has to be read or returned from. */
  withResponse(
    ...args: CallArguments<PartOf<Types, 'params'>, Own>
  ): Promise<ResponseOf<Types, AsyncGenerator<PieceOf<Types>, void, undefined>>>
}

/** A method whose answer may be a stream. */
export interface StreamableMethod<Types, Own extends Auth = Auth> extends ClientMethod<Types, Own> {
  /** The same call, of which a stream is expected. */
  readonly stream: StreamMethod<Types, Own>
}

/** Params and options of a call; params may be left out where none is required. */
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
 * `isApiError` of a document. Codes are those of the operation, or of any where none is given, the built-in ones, and
 * `unknown_error` of an answer that names none. `Members` are the extension members of problems, by code.
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

/** Any other string, written so that editors still propose the listed codes. */
type UnlistedCode = string & Record<never, never>

type PartOf<Types, Key extends string> = Types extends { readonly [Name in Key]: infer Part } ? Part : never
type PieceOf<Types> = Types extends { piece: infer Piece } ? Piece : unknown
type ResponseOf<Types, Data> = ClientResponse<
  Data,
  PartOf<Types, 'status'>,
  Types extends { headers: infer Headers } ? Readonly<Headers> : Readonly<Record<never, never>>
>

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
