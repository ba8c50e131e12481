import type { JsonObject } from '../../document/document.js'
import type { Model, Operation } from '../../model/model.js'

/** What samples need of a version and of an operation. A page has it too, and writes what its reader types. */
export type SampledModel = Pick<Model, 'basePath' | 'rpcPath' | 'securitySchemes'>
export type SampledOperation = Pick<Operation, 'name' | 'rpc' | 'rest' | 'security'> &
  Partial<Pick<Operation, 'int64'>>

/** A call for programs: an HTTP request that reads its credentials from variables. */
export interface WireCall {
  readonly method: string
  /** Path and query after the base URL. */
  readonly target: string
  /** Without credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Header fields with secrets in their values. */
  readonly secrets: readonly Secret[]
  /** Whether `Authorization` has a user and a password (RFC 7617): from `API_USER` and `API_PASSWORD`. */
  readonly isBasic: boolean
  /** The variable whose value ends the target. Absent: none. */
  readonly key?: string
  /** JSON, or text of another media type. */
  readonly body: { readonly json: JsonObject[string] } | { readonly text: string } | undefined
  /** Whether the response is always JSON. */
  readonly answersJson: boolean
}

export interface Secret {
  readonly header: string
  /** Texts, and variables by their shell names: `Bearer ` and `TOKEN`. */
  readonly value: readonly (string | { readonly variable: string })[]
}
