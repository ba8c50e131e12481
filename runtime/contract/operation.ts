import type { PatternData } from '../patterns/linear-pattern.js'

/** An HTTP method as it stands in a request line. */
export type Method =
  | 'GET'
  | 'HEAD'
  | 'POST'
  | 'PUT'
  | 'PATCH'
  | 'DELETE'
  | 'OPTIONS'
  | 'TRACE'
  // QUERY and what else `additionalOperations` of OpenAPI 3.2 names.
  | Uppercase<string>

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
  /** Alternatives in order of preference, an empty one being the last resort; none for a public operation. */
  readonly security: readonly SecurityRequirement[]
  /** Codes of the error catalogue that this operation may answer with. */
  readonly errors: readonly string[]
  /**
   * Error bodies that the document has in place of problems, by its response: `404`, `4XX`, `default`. False for a
   * response that is answered with problems all the same.
   */
  readonly failures?: Readonly<Record<string, FailureBinding | false>>
  /** Safe to send again after a failure: the HTTP method is idempotent (RFC 9110 section 9.2.2). */
  readonly idempotent: boolean
  /** The param that makes a call safe to send again: the document has it as the header `Idempotency-Key`. */
  readonly idempotencyKey?: string
  /** Present on a deprecated operation; both are seconds since the epoch. */
  readonly deprecation?: { readonly since?: number; readonly sunset?: number }
  readonly datetimes: {
    readonly params?: DatetimeGraph
    readonly result?: DatetimeGraph
    /** Of one piece of a stream. */
    readonly piece?: DatetimeGraph
  }
  /** Positions of the params' binaries: a Blob for handlers, base64 in JSON. Absent: there are none. */
  readonly binaries?: BinaryGraph
  /** Positions of int64 and uint64 integers that are no numbers for programs. Absent: there are none. */
  readonly int64?: Int64Positions
}

/** Where an operation has int64 and uint64 integers, and what handlers and clients have there. In JSON they are numbers. */
export interface Int64Positions {
  readonly as: 'bigint' | 'string'
  readonly params?: Int64Graph
  readonly result?: Int64Graph
  /** Of one piece of a stream. */
  readonly piece?: Int64Graph
  /** Of the object of a success's headers. */
  readonly headers?: Int64Graph
  /** Of error bodies, by the names of `failures`. */
  readonly failures?: Readonly<Record<string, Int64Graph>>
}

/** The body of errors of some status. */
export interface FailureBinding {
  /** Absent: `application/json`. */
  readonly type?: string
  /** The component schema that it is; absent where it is none. */
  readonly schema?: string
}

/** Where each param stands in an HTTP request. */
export interface RestBinding {
  readonly method: Method
  /** OpenAPI path template: `/clients/{id}`. */
  readonly path: string
  /** Query parameters with one fixed value, which tell this operation from others at its path. */
  readonly query?: Readonly<Record<string, string>>
  readonly parameters: readonly ParameterBinding[]
  /** Absent: the operation has no request body. */
  readonly body?: BodyBinding
  /** HTTP status of a success, unless the handler chooses another of `statuses`. */
  readonly status: number
  /** Every status of a success, where there are several. */
  readonly statuses?: readonly number[]
  /** Status of a success that answers nothing, where it is another than `status`. */
  readonly emptyStatus?: number
  /** Statuses of a success that have no content, beside those that never have any (204, 205, 304). */
  readonly bare?: readonly number[]
  /** Headers of a success that the document describes. */
  readonly headers?: readonly HeaderBinding[]
  /** What a success is written as. Absent: JSON. */
  readonly answers?: readonly AnswerMedia[]
  /** The media type of a success in JSON. Absent: `application/json`. */
  readonly jsonType?: string
  /** Names of the members that lead to the result's text that is the header `ETag` of a success. */
  readonly entityTag?: readonly string[]
}

/** A header of an answer. */
export interface HeaderBinding {
  /** As the document has it. */
  readonly name: string
  readonly coerce: Coercion
  /** Members of an object are written `name=value`. */
  readonly explode?: true
  /** The text is JSON: the header is described by a media type, not by a style. */
  readonly json?: true
}

/** A media type that a success is answered in. */
export interface AnswerMedia {
  /** As the document has it, in lower case and without parameters: `text/csv`, `image/*`. */
  readonly type: string
  /** `events` and `lines` are streams of texts: server-sent events, and JSON values one a line. */
  readonly kind: 'json' | 'text' | 'binary' | 'events' | 'lines'
  /**
   * How the data of events is written whose pieces are their fields (`event`, `id`, `retry`, `data`): text as it
   * is, all of it as JSON, or text as it is and the rest as JSON. Absent: a piece is the data.
   */
  readonly data?: 'text' | 'json' | 'either'
  /** The document does not say what an event is: for a client it is what came. */
  readonly bare?: true
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
  /** An empty text in the query is as good as none (OpenAPI 3.1, Parameter Object, `allowEmptyValue`). */
  readonly emptyIsAbsent?: true
  /** A query name that no other parameter has is a member of this one's object. */
  readonly open?: true
  /** The text is JSON: the parameter is described by a media type, not by a style. */
  readonly json?: true
  /**
   * Values of a header that clients set by themselves as a list of preferences (`Accept-Language`, `Accept-Encoding`): of the
   * list the first that is among them counts, else the header counts as absent. Empty: any but `*`.
   */
  readonly preferences?: readonly string[]
  /** The text is one entity tag or `*`, and the param what stands between its quotation marks. */
  readonly entityTag?: true
}

/** What text may become before validation: the types that the schema allows, nothing else. */
export interface Coercion {
  readonly types: readonly JsonType[]
  readonly items?: Coercion
  /** What the first items may become, each by its position; `items` is for those behind them. */
  readonly prefix?: readonly Coercion[]
  readonly properties?: Readonly<Record<string, Coercion>>
  /** What the members that `properties` does not name may become. Absent: text. */
  readonly values?: Coercion
  /** The value is a file, or may be one beside what `types` allow. */
  readonly binary?: true
  /** An integer that a double does not hold becomes a bigint. */
  readonly int64?: true
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
  /** Params that a header or a cookie carries as well. Other params of theirs have no place in the body. */
  readonly shared?: readonly string[]
  /** How it may be written, in order of a client's preference. Absent: as JSON alone. */
  readonly media?: readonly BodyMedia[]
}

/** A media type that a request body is accepted in. */
export interface BodyMedia {
  /** In lower case and without parameters: `multipart/form-data`, `image/*`. */
  readonly type: string
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'binary'
  /** Of a form: its fields, but for those that are plain text. Their place is the body, whatever `in` says. */
  readonly fields?: readonly ParameterBinding[]
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

/** Positions of binaries, in the same form. */
export type BinaryGraph = readonly BinaryNode[]

/** Positions of int64 and uint64 integers, in the same form. */
export type Int64Graph = readonly Int64Node[]

export interface DatetimeNode extends PositionNode {
  readonly datetime?: true
}

export interface BinaryNode extends PositionNode {
  readonly binary?: true
}

export interface Int64Node extends PositionNode {
  readonly int64?: true
}

/** What a graph of positions says of one place of a value. */
export interface PositionNode {
  readonly properties?: Readonly<Record<string, number>>
  /** Nodes of the members that `properties` does not name, by the patterns that their names match. */
  readonly patterns?: Readonly<Record<string, number>>
  /** How those patterns are run over which JavaScript's own engine may take more than linear time. */
  readonly checks?: Readonly<Record<string, PatternData>>
  /** Nodes of an array's first elements, one each (`prefixItems`). */
  readonly prefix?: readonly number[]
  /** Node of every array element, `prefix` apart. */
  readonly items?: number
  /** Node of every value of a map (`additionalProperties`) that matches no pattern. */
  readonly values?: number
}
