import type { ErrorCatalogue } from './catalogue.js'
import type { Method, Operation, SecurityScheme } from './operation.js'

/** Everything the runtime knows of one version of one document. The generated `index.ts` holds it. */
export interface Contract {
  readonly title: string
  readonly version: string
  /** Path of the document's first server, without a slash at its end. Absent: none. */
  readonly basePath?: string
  /** Where JSON-RPC is below the base path. Absent: `/`. */
  readonly rpcPath?: string
  readonly operations: Readonly<Record<string, Operation>>
  /** REST routes: `express.ts`. */
  readonly routes: readonly Route[]
  /** JSON-RPC methods: `jsonrpc.ts`. */
  readonly methods: Readonly<Record<string, Operation>>
  readonly validators: Readonly<Record<string, OperationValidators>>
  readonly errors: ErrorCatalogue
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** The bundled OpenAPI document, read when first asked for. */
  readonly openapi: () => unknown
  /** The OpenRPC document that `rpc.discover` answers, read when first asked for. */
  readonly openrpc: () => unknown
}

export interface Route {
  readonly method: Method
  readonly path: string
  /** Query parameters that a request must have for this route, where others stand at its path. */
  readonly query?: Readonly<Record<string, string>>
  readonly operation: Operation
}

export interface OperationValidators {
  /** Validates params and fills in defaults, in place. */
  readonly params: Validator
  readonly result: Validator
  /**
   * The JSON text of a result, as `JSON.stringify` writes it. Undefined for a result that is invalid, or that is not
   * as plain as what this can write; absent where nobody writes results of that schema.
   */
  readonly text?: (result: unknown) => string | undefined
  /** Validates each piece of a stream that is neither text nor bytes. Absent: any is fine. */
  readonly piece?: Validator
  /** Validates the error bodies of `failures`, by the same names. */
  readonly errors?: Readonly<Record<string, Validator>>
}

/** An AJV validation function: `errors` holds the last call's errors, or null. */
export interface Validator {
  (data: unknown): boolean
  errors?: readonly ValidatorError[] | null
}

/** The part of an AJV error object that a problem is made from. */
export interface ValidatorError {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}
