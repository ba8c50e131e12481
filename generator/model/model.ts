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

/** One document version for the emitters: only data, in canonical order, without YAML. */
export interface Model {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  /** Path of the first server, without a slash at its end. Empty without servers. */
  readonly basePath: string
  /** The strategy that named the operations without `x-rpc-method`. */
  readonly naming: Strategy
  /** The TypeScript type of int64 and uint64 integers. Their schemas have `$int64`, unless they are numbers. */
  readonly int64: Int64
  /** The path of JSON-RPC below the base path: `/`, unless the document has an operation `POST /`. */
  readonly rpcPath: string
  /** Bytes. If the MCP tools are larger, agents get three tools that search, describe and call them. Undefined: no limit. */
  readonly toolBytes: number | undefined
  /** Sorted by name. */
  readonly operations: readonly Operation[]
  /** Messages that the service sends on its own. They have types, but no routes. */
  readonly webhooks: readonly Webhook[]
  /** Component schemas by name, sorted. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** The position of each component schema in the document, by the same names. */
  readonly sources: ReadonlyMap<string, Source>
  /** The whole catalogue: the built-in codes, overridden by the document's `x-errors`, sorted by code. */
  readonly errors: ReadonlyMap<string, ErrorDefinition>
  /** The component whose properties are the extension members of a code's problems, by code. */
  readonly errorMembers: ReadonlyMap<string, string>
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** The positions of the document's own catalogue entries and its security schemes, sorted. */
  readonly origins: {
    readonly errors: ReadonlyMap<string, Source>
    readonly securitySchemes: ReadonlyMap<string, Source>
  }
  /** The bundled document with its keys in canonical order. */
  readonly openapi: JsonObject
}

/** One operation, for both protocols. */
export interface Operation {
  /** Dotted name, unique in the version. Present even if `rpc` is false. */
  readonly name: string
  /** `name` without its last part. `default` if there is no dot. */
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
  /** False if another operation matches every REST request that could be for this one. */
  readonly routed: boolean
  readonly rpc: string | false
  /** ONE object schema: path, query, header and body fields merged. `__tz` is not part of it. */
  readonly params: JsonObject
  /** The body's component, if its members are params with unchanged names. */
  readonly bodyBase: string | undefined
  /** Schema of a success's body. `{type: 'null'}` if there is none. */
  readonly result: Schema
  /** The schemas of a success by its media types in JSON, the preferred one first. Undefined if they do not differ. */
  readonly jsonContents: readonly JsonContent[] | undefined
  /** Schema of each piece of a streamed success. Undefined without streams, or if the document does not describe it. */
  readonly pieces: Schema | undefined
  /** Object schema of the headers that a success declares. Undefined if it declares none. */
  readonly headers: JsonObject | undefined
  /** The successes that differ in body or headers, by their statuses. Undefined if all are alike. */
  readonly byStatus: readonly StatusResult[] | undefined
  readonly errors: readonly string[]
  /** The document's own error bodies, sorted by response. Empty if all are problems (RFC 9457). */
  readonly failures: readonly Failure[]
  readonly security: RuntimeOperation['security']
  readonly idempotent: boolean
  /** The param for the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  readonly deprecation: RuntimeOperation['deprecation']
  readonly datetimes: RuntimeOperation['datetimes']
  readonly binaries: RuntimeOperation['binaries']
  readonly int64: RuntimeOperation['int64']
  readonly int64Numbers: RuntimeOperation['int64Numbers']
  readonly stability: string | undefined
  /** How agents call it over MCP. Undefined: they do not, since the document does not say so. */
  readonly tool: Tool | undefined
  readonly provenance: Provenance | undefined
  /**
   * Examples of calls, sorted by name. `default` for those without a name. `some`: the params that have an example, if a
   * required one has none.
   */
  readonly examples: readonly {
    readonly name: string
    readonly params?: Json
    readonly some?: Json
    readonly result?: Json
    /** What the document says of the request, and of the response. */
    readonly about?: ExampleText
    readonly resultAbout?: ExampleText
  }[]
  readonly source: Source
}

/** OpenAPI 3.1, Example Object. */
export interface ExampleText {
  readonly summary?: string
  /** CommonMark. */
  readonly description?: string
}

/** An operation as a tool of MCP, by `x-mcp`. */
export interface Tool {
  /** Unique in the version: letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** The values that params have in every call, by param. Agents neither see nor send these. */
  readonly fixed: JsonObject
  /** Optional params that agents neither see nor send. */
  readonly hidden: readonly string[]
  readonly hints: ToolHints
  /** The result as structured content: as it is, or as the member `result`. Undefined: only as text. */
  readonly structured: 'whole' | 'member' | undefined
}

/** What an agent may assume of a call before it asks its user. */
export interface ToolHints {
  readonly readOnly: boolean
  /** Changes or removes what is there. */
  readonly destructive: boolean
  /** A second call with the same arguments changes nothing more. */
  readonly idempotent: boolean
}

/** A media type in JSON, and its schema. */
export interface JsonContent {
  readonly type: string
  readonly schema: Schema
}

/** What statuses of a success have in common. */
export interface StatusResult {
  /** In ascending order. */
  readonly statuses: readonly number[]
  readonly result: Schema
  /** Object schema of the declared headers. Undefined if there are none. */
  readonly headers: JsonObject | undefined
}

/** An operation's error body for some status. */
export interface Failure {
  /** As the document has it: `404`, `4XX` or `default`. */
  readonly response: string
  readonly type: string
  /** Undefined if the response is a problem, though a range or `default` has another body. */
  readonly schema: Schema | undefined
  /** Example bodies in the document. */
  readonly examples: readonly Json[]
}

/** A message that the service sends to addresses of its callers. */
export interface Webhook {
  readonly kind: 'webhook' | 'callback'
  /** Name of the webhook. A callback's name comes from its operation. */
  readonly name: string
  readonly summary: string | undefined
  readonly description: string | undefined
  /** Schema of its body. `{type: 'null'}` if there is none. */
  readonly payload: Schema
  /** Example bodies in the document. */
  readonly examples: readonly Json[]
  readonly source: Source
}

/** A position in the bundled document and in the source file. */
export type Source = { readonly pointer: string } & Position
