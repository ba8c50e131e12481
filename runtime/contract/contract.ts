import type { ErrorCatalogue } from './catalogue.js'
import type { Method, Operation, SecurityScheme } from './operation.js'

/** What the runtime needs of one version of one document. The generated `index.ts` contains it. */
export interface Contract {
  readonly title: string
  readonly version: string
  /** Path of the document's first server, without a trailing slash. Absent: none. */
  readonly basePath?: string
  /** Path of JSON-RPC below the base path. Absent: `/`. */
  readonly rpcPath?: string
  readonly operations: Readonly<Record<string, Operation>>
  /** REST routes, from `express.ts`. */
  readonly routes: readonly Route[]
  /** JSON-RPC methods, from `jsonrpc.ts`. */
  readonly methods: Readonly<Record<string, Operation>>
  readonly validators: Readonly<Record<string, OperationValidators>>
  readonly errors: ErrorCatalogue
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** The bundled OpenAPI document, read at the first request for it. */
  readonly openapi: () => unknown
  /** The OpenRPC document that `rpc.discover` returns, read at the first request for it. */
  readonly openrpc: () => unknown
  /** The tools of MCP, read at the first request for them. Absent: no operation is a tool. */
  readonly mcp?: () => unknown
  /** Address of the generated module. The folder `reference` may be next to it. */
  readonly module?: string
}

export interface Route {
  readonly method: Method
  readonly path: string
  /** Query parameters that select this route among those with the same path. */
  readonly query?: Readonly<Record<string, string>>
  readonly operation: Operation
}

export interface OperationValidators {
  /** Validates params and fills in defaults, in place. */
  readonly params: Validator
  readonly result: Validator
  /** Validates a result as one of `jsonTypes`, by the same names. */
  readonly contents?: Readonly<Record<string, Validator>>
  /**
   * Writes a result as JSON text, as `JSON.stringify` would. Undefined for a result that is invalid or too
   * complex for it. Absent if no operation writes results of that schema.
   */
  readonly text?: (result: unknown) => string | undefined
  /** Validates each piece of a stream that is neither text nor bytes. Absent: any piece is valid. */
  readonly piece?: Validator
  /** Validates the error bodies of `failures`, by the same names. */
  readonly errors?: Readonly<Record<string, Validator>>
}

/** An AJV validation function: `errors` holds the last call's errors, or null. */
export interface Validator {
  (data: unknown): boolean
  errors?: readonly ValidatorError[] | null
}

/** The part of an AJV error object that problems use. */
export interface ValidatorError {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}
