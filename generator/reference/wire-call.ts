import type { JsonObject } from '../document/document.js'

/** A call as programs make it: an HTTP request whose credentials are read from variables. */
export interface WireCall {
  readonly method: string
  /** Path and query behind the service's address. */
  readonly target: string
  /** Without credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Header fields with secrets in their values. */
  readonly secrets: readonly Secret[]
  /** Whether a user and a password stand in `Authorization` (RFC 7617): in `API_USER` and `API_PASSWORD`. */
  readonly isBasic: boolean
  /** The variable whose value ends the target; absent: none does. */
  readonly key?: string
  /** JSON, or text of another media type. */
  readonly body: { readonly json: JsonObject[string] } | { readonly text: string } | undefined
  /** Whether what is answered is JSON in any case. */
  readonly answersJson: boolean
}

export interface Secret {
  readonly header: string
  /** Texts, and variables as a shell names them: `Bearer ` and `TOKEN`. */
  readonly value: readonly (string | { readonly variable: string })[]
}
