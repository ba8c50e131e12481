/** An HTTP method as it stands in a request line. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE'

/**
 * One operation of a document: the single entry that both protocols, the clients and the
 * in-process call are driven by. Written by the generator into `operations.ts`.
 */
export interface Operation {
  /** Dotted name, unique in a version: `clients.get`. */
  readonly name: string
  /** JSON pointer of the operation in the bundled document. */
  readonly source: string
  readonly rest: RestBinding
  /** JSON-RPC method name; `false` where the document keeps the operation off JSON-RPC. */
  readonly rpc: string | false
  /** Alternatives in order of preference; empty for a public operation. */
  readonly security: readonly SecurityRequirement[]
  /** Codes of the error catalogue that this operation may answer with. */
  readonly errors: readonly string[]
  /** Safe to send again after a failure: the HTTP method is idempotent (RFC 9110 section 9.2.2). */
  readonly idempotent: boolean
  /** Present on a deprecated operation; both are seconds since the epoch. */
  readonly deprecation?: { readonly since?: number; readonly sunset?: number }
  readonly datetimes: { readonly params?: DatetimeGraph; readonly result?: DatetimeGraph }
}

/** Where each param stands in an HTTP request. */
export interface RestBinding {
  readonly method: Method
  /** OpenAPI path template: `/clients/{id}`. */
  readonly path: string
  readonly parameters: readonly ParameterBinding[]
  /** Absent: the operation has no request body. */
  readonly body?: BodyBinding
  /** HTTP status of a success. */
  readonly status: number
}

/** A param that REST carries in the path, the query string, a header or a cookie. */
export interface ParameterBinding {
  /** Name on the wire. */
  readonly name: string
  /** Name among the operation's params; differs from `name` only by `x-rpc-param`. */
  readonly param: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  /** Serialization (OpenAPI 3.1, Parameter Object). */
  readonly style: 'simple' | 'form' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  readonly coerce: Coercion
}

/** What text may become before validation: the types that the schema allows, nothing else. */
export interface Coercion {
  readonly types: readonly JsonType[]
  readonly items?: Coercion
  readonly properties?: Readonly<Record<string, Coercion>>
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

export interface BodyBinding {
  readonly required: boolean
  /**
   * `fields`: each member of the JSON object is a param; `rename` maps a member to its param where
   * `x-rpc-param` gave it another name. `param`: the whole body is the one param named here.
   */
  readonly kind: 'fields' | 'param'
  readonly param?: string
  readonly rename?: Readonly<Record<string, string>>
}

/** Schemes that must all be satisfied, with the scopes each needs. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** How a credential travels (OpenAPI 3.1, Security Scheme Object). */
export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'openIdConnect' }
  | { readonly type: 'mutualTLS' }

/**
 * Positions of the datetimes that `__tz` converts, computed from the schema when generating.
 * Nodes refer to each other by index so that recursive schemas stay finite; node 0 is the root.
 */
export type DatetimeGraph = readonly DatetimeNode[]

export interface DatetimeNode {
  readonly datetime?: true
  readonly properties?: Readonly<Record<string, number>>
  /** Node of every array element. */
  readonly items?: number
  /** Node of every value of a map (`additionalProperties`). */
  readonly values?: number
}
