import type { PatternData } from '../patterns/linear-pattern.js'

/**
 * The protocols of a service. Over MCP only the operations that are tools can be called. A new one is a name here,
 * a folder with `server/`, and an entry in `runtime/protocols.ts`. `npm run check:types` names the tables that need
 * a row for it. `generator/diff/change/protocol.test.ts` lists the files that name protocols and that the compiler
 * does not check.
 */
export type Protocol = 'rest' | 'jsonrpc' | 'mcp'

/** The protocols of generated clients. A new one has a folder `client/` as well, and an entry in `Transports`. */
export type ClientProtocol = Exclude<Protocol, 'mcp'>

/** What a call came over. `local`: in process. A protocol of a team's own has a name with `x-`. */
export type CallProtocol = Protocol | 'local' | `x-${string}`

/** An HTTP method as in the request line. */
export type Method =
  | 'GET'
  | 'HEAD'
  | 'POST'
  | 'PUT'
  | 'PATCH'
  | 'DELETE'
  | 'OPTIONS'
  | 'TRACE'
  // QUERY, and any other method in `additionalOperations` of OpenAPI 3.2.
  | Uppercase<string>

/**
 * One operation of a document. Both protocols, the clients and the in-process call use this entry. The
 * generator writes it into `operations.ts`.
 */
export interface Operation {
  /** Dotted name, unique in a version: `clients.get`. */
  readonly name: string
  /** JSON pointer of the operation in the bundled document. */
  readonly source: string
  readonly rest: RestBinding
  /** JSON-RPC method name. `false` if the document does not offer the operation over JSON-RPC. */
  readonly rpc: string | false
  /**
   * Alternatives in order of preference; an empty one is the last resort. No alternatives: the operation is
   * public.
   */
  readonly security: readonly SecurityRequirement[]
  /** Codes of the error catalogue that this operation may return. */
  readonly errors: readonly string[]
  /**
   * Error bodies in the document's own format, by response: `404`, `4XX`, `default`. False for a response
   * that is a problem nevertheless.
   */
  readonly failures?: Readonly<Record<string, FailureBinding | false>>
  /** Safe to repeat after a failure: the HTTP method is idempotent (RFC 9110 section 9.2.2). */
  readonly idempotent: boolean
  /** The param that makes a call safe to repeat: the document's header `Idempotency-Key`. */
  readonly idempotencyKey?: string
  /** Only for a deprecated operation; both are seconds since the epoch. */
  readonly deprecation?: { readonly since?: number; readonly sunset?: number }
  readonly datetimes: {
    readonly params?: DatetimeGraph
    readonly result?: DatetimeGraph
    /** Positions in one piece of a stream. */
    readonly piece?: DatetimeGraph
  }
  /** Positions of the params' binaries: a Blob for handlers, base64 in JSON. Absent: there are none. */
  readonly binaries?: BinaryGraph
  /** Positions of int64 and uint64 integers that programs do not have as numbers. Absent: there are none. */
  readonly int64?: Int64Positions
  /**
   * Positions of int64 integers that programs have as numbers. Clients refuse those beyond the safe range.
   * Absent: there are none.
   */
  readonly int64Numbers?: Int64Numbers
  /** The operation as a tool of MCP. Absent: agents cannot call it. */
  readonly tool?: ToolBinding
}

/** How a call over MCP becomes a call of the operation. */
export interface ToolBinding {
  readonly name: string
  /** The values that params have in every call. A call that sends one is refused. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Params that a call must not send. */
  readonly hidden?: readonly string[]
  /**
   * The result in a response: as it is, or as the member `result` of an object, since older revisions of MCP
   * take no other value. Absent: only as text.
   */
  readonly structured?: 'whole' | 'member'
}

/** Positions in a success. Validators check params. */
export interface Int64Numbers {
  readonly result?: Int64Graph
  /** Positions in one piece of a stream. */
  readonly piece?: Int64Graph
}

/**
 * Positions of an operation's int64 and uint64 integers, and their type in handlers and clients. In JSON they
 * are numbers.
 */
export interface Int64Positions {
  readonly as: 'bigint' | 'string'
  readonly params?: Int64Graph
  readonly result?: Int64Graph
  /** Positions in one piece of a stream. */
  readonly piece?: Int64Graph
  /** Positions in the object of a success's headers. */
  readonly headers?: Int64Graph
  /** Positions in error bodies, by the names of `failures`. */
  readonly failures?: Readonly<Record<string, Int64Graph>>
}

/** The error body of a status. */
export interface FailureBinding {
  /** Absent: `application/json`. */
  readonly type?: string
  /** Its component schema; absent if the schema is not a component. */
  readonly schema?: string
}

/** Where an HTTP request carries each param. */
export interface RestBinding {
  readonly method: Method
  /** OpenAPI path template: `/clients/{id}`. */
  readonly path: string
  /** Query parameters with one fixed value, which select this operation among those with its path. */
  readonly query?: Readonly<Record<string, string>>
  readonly parameters: readonly ParameterBinding[]
  /** Absent: the operation has no request body. */
  readonly body?: BodyBinding
  /** HTTP status of a success, if the handler chooses no other of `statuses`. */
  readonly status: number
  /** Every success status, if there are several. */
  readonly statuses?: readonly number[]
  /** Status of a success without a result, if it differs from `status`. */
  readonly emptyStatus?: number
  /** Success statuses without content, besides those that never have any (204, 205, 304). */
  readonly bare?: readonly number[]
  /** Headers of a success that the document describes. */
  readonly headers?: readonly HeaderBinding[]
  /** Media types of a success. Absent: JSON. */
  readonly answers?: readonly AnswerMedia[]
  /** The media type of a success in JSON. Absent: `application/json`. */
  readonly jsonType?: string
  /** The media types of a success in JSON, the preferred one first, if their schemas differ. */
  readonly jsonTypes?: readonly string[]
  /** Member names that lead to the text in the result that becomes the header `ETag`. */
  readonly entityTag?: readonly string[]
}

/** A response header. */
export interface HeaderBinding {
  /** Name as in the document. */
  readonly name: string
  readonly coerce: Coercion
  /** Members of an object are written `name=value`. */
  readonly explode?: true
  /** The text is JSON: the header is described by a media type, not by a style. */
  readonly json?: true
  /** The statuses whose header is read so. Absent: all. */
  readonly statuses?: readonly number[]
}

/** A media type of a success. */
export interface AnswerMedia {
  /** Name as in the document, in lower case and without parameters: `text/csv`, `image/*`. */
  readonly type: string
  /** `events` and `lines` are streams of texts: server-sent events, and one JSON value per line. */
  readonly kind: 'json' | 'text' | 'binary' | 'events' | 'lines'
  /**
   * For events whose pieces are the event's fields (`event`, `id`, `retry`, `data`): how to write `data`.
   * `text` as it is, `json` as JSON, `either` text as it is and other values as JSON. Absent: a piece is the
   * data.
   */
  readonly data?: 'text' | 'json' | 'either'
  /** For events whose pieces are texts, and are the data as they are. Absent: the data is JSON. */
  readonly text?: true
  /** The document does not describe the event: clients receive it as it arrived. */
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
  /** An empty text in the query counts as absent (OpenAPI 3.1, Parameter Object, `allowEmptyValue`). */
  readonly emptyIsAbsent?: true
  /** Query names that no other parameter has are members of this parameter's object. */
  readonly open?: true
  /** The text is JSON: the parameter is described by a media type, not by a style. */
  readonly json?: true
  /**
   * Values of a header that clients send automatically as a list of preferences (`Accept-Language`,
   * `Accept-Encoding`). The first preference among these values counts; if there is none, the header counts
   * as absent. Empty: any value but `*`.
   */
  readonly preferences?: readonly string[]
  /** The text is one entity tag or `*`; the param is the tag's text between the quotation marks. */
  readonly entityTag?: true
}

/** How to convert text before validation: only to types that the schema allows. */
export interface Coercion {
  readonly types: readonly JsonType[]
  readonly items?: Coercion
  /** Conversions of the first items, by position; `items` is for the items after them. */
  readonly prefix?: readonly Coercion[]
  readonly properties?: Readonly<Record<string, Coercion>>
  /** Conversion of members that `properties` does not name. Absent: they stay text. */
  readonly values?: Coercion
  /** The value is a file, or may be one in addition to `types`. */
  readonly binary?: true
  /** An integer that a double does not hold becomes a bigint. */
  readonly int64?: true
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

export interface BodyBinding {
  readonly required: boolean
  /**
   * `fields`: each member of the JSON object is a param; `rename` maps a member to its param if `x-rpc-param`
   * renames it. `param`: the whole body is the param named here.
   */
  readonly kind: 'fields' | 'param'
  readonly param?: string
  readonly rename?: Readonly<Record<string, string>>
  /**
   * Params that a header or a cookie carries as well. No other param of a header or cookie may be in the
   * body.
   */
  readonly shared?: readonly string[]
  /** Accepted media types, in the client's order of preference. Absent: only JSON. */
  readonly media?: readonly BodyMedia[]
}

/** A media type of a request body. */
export interface BodyMedia {
  /** In lower case and without parameters: `multipart/form-data`, `image/*`. */
  readonly type: string
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'binary'
  /** The fields of a form, except plain text ones. They are in the body, whatever `in` says. */
  readonly fields?: readonly ParameterBinding[]
}

/** Schemes that must all be satisfied, with the scopes of each. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** How a request carries a credential (OpenAPI 3.1, Security Scheme Object). */
export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'openIdConnect' }
  | { readonly type: 'mutualTLS' }

/**
 * Positions of the datetimes that `__tz` converts; the generator computes them from the schema. Nodes refer
 * to each other by index, which keeps recursive schemas finite; node 0 is the root.
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

/** One node of a graph of positions. */
export interface PositionNode {
  readonly properties?: Readonly<Record<string, number>>
  /** Nodes of members that `properties` does not name, by the patterns that match their names. */
  readonly patterns?: Readonly<Record<string, number>>
  /** Data for patterns that may take JavaScript's engine more than linear time. */
  readonly checks?: Readonly<Record<string, PatternData>>
  /** One node for each of an array's first elements (`prefixItems`). */
  readonly prefix?: readonly number[]
  /** Node of every other array element. */
  readonly items?: number
  /** Node of every map value (`additionalProperties`) whose name matches no pattern. */
  readonly values?: number
}
