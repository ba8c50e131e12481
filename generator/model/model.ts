import type {
  ErrorDefinition,
  RestBinding,
  Operation as RuntimeOperation,
  SecurityScheme,
} from 'duet-runtime'
import type { Json, JsonObject, Position } from '../document/document.js'
import type { Int64 } from '../schema/int64.js'
import type { Schema } from '../schema/schema.js'
import type { Strategy } from './naming/naming.js'

export type Provenance = 'stated' | 'inferred' | 'assumed'

/** One document version as the emitters see it: data only, in canonical order, free of YAML. */
export interface Model {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  /** Path of the first server, without a slash at its end; empty for none. */
  readonly basePath: string
  /** The strategy that named the operations without `x-rpc-method`. */
  readonly naming: Strategy
  /** What int64 and uint64 integers are in TypeScript; schemas of such have `$int64` unless they are numbers. */
  readonly int64: Int64
  /** Where JSON-RPC is below the base path: `/`, unless the document has an operation `POST /`. */
  readonly rpcPath: string
  /** Sorted by name. */
  readonly operations: readonly Operation[]
  /** What the service sends of its own accord: typed, never routed. */
  readonly webhooks: readonly Webhook[]
  /** Component schemas by name, sorted. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Where each component schema stands in the document, by the same names. */
  readonly sources: ReadonlyMap<string, Source>
  /** The whole catalogue: the runtime's built-in codes under the document's `x-errors`, sorted by code. */
  readonly errors: ReadonlyMap<string, ErrorDefinition>
  /** The component whose properties are the extension members of a code's problems, by code. */
  readonly errorMembers: ReadonlyMap<string, string>
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** Where the document has its own entries of the catalogue and its security schemes; sorted. */
  readonly origins: {
    readonly errors: ReadonlyMap<string, Source>
    readonly securitySchemes: ReadonlyMap<string, Source>
  }
  /** The bundled document with its keys in canonical order. */
  readonly openapi: JsonObject
}

/** One operation: both protocols' view of it. */
export interface Operation {
  /** Dotted RPC-style name, unique in the version, present even where `rpc` is false. */
  readonly name: string
  /** `name` without its last part; `default` where there is no dot. */
  readonly namespace: string
  /** The last part of `name`. */
  readonly member: string
  /** Present if `x-rpc-method` gives the name. */
  readonly isNameStated?: true
  /** As in the document. */
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly rest: RestBinding
  /** False where another operation answers every request over REST that could be this one's. */
  readonly routed: boolean
  readonly rpc: string | false
  /** ONE object schema: path, query, header and body fields merged; `__tz` is not part of it. */
  readonly params: JsonObject
  /** The component that the body is, where its members are params under their own names. */
  readonly bodyBase: string | undefined
  /** Schema of a success's body; `{type: 'null'}` where there is none. */
  readonly result: Schema
  /** What each piece of a streamed success is; undefined where none is, or the document does not say. */
  readonly pieces: Schema | undefined
  /** Object schema of the headers that a success declares; undefined where it declares none. */
  readonly headers: JsonObject | undefined
  readonly errors: readonly string[]
  /** Bodies that the document gives errors, sorted by response; none where all are problems (RFC 9457). */
  readonly failures: readonly Failure[]
  readonly security: RuntimeOperation['security']
  readonly idempotent: boolean
  /** The param that is the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  readonly deprecation: RuntimeOperation['deprecation']
  readonly datetimes: RuntimeOperation['datetimes']
  readonly binaries: RuntimeOperation['binaries']
  readonly int64: RuntimeOperation['int64']
  readonly stability: string | undefined
  readonly provenance: Provenance | undefined
  /** Whole calls that the document shows, sorted by name; `default` where it gives them none. */
  readonly examples: readonly { readonly name: string; readonly params?: Json; readonly result?: Json }[]
  readonly source: Source
}

/** The body of an operation's errors of some status. */
export interface Failure {
  /** As the document has it: `404`, `4XX` or `default`. */
  readonly response: string
  readonly type: string
  /** Undefined where the response is answered with problems, though a range or `default` has another body. */
  readonly schema: Schema | undefined
  /** Bodies that the document shows. */
  readonly examples: readonly Json[]
}

/** One message that the service sends to its callers' addresses. */
export interface Webhook {
  readonly kind: 'webhook' | 'callback'
  /** Name of the webhook; of a callback, after the name of its operation. */
  readonly name: string
  readonly summary: string | undefined
  readonly description: string | undefined
  /** Schema of its body; `{type: 'null'}` where there is none. */
  readonly payload: Schema
  readonly source: Source
}

/** A place in the bundled document and in the file that was read. */
export type Source = { readonly pointer: string } & Position
