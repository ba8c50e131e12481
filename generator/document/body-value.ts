import type { Json } from './document.js'
import { parsePointer } from './pointer.js'

/**
 * Names of the members that lead to a value of an answer's body: what `$response.body#/meta/version` says (OpenAPI
 * 3.1, Runtime Expressions). Undefined for any other expression, and for the body as a whole.
 */
export function bodyValue(expression: Json | undefined): readonly string[] | undefined {
  const prefix = '$response.body#'
  if (typeof expression !== 'string' || !expression.startsWith(prefix)) return undefined
  const names = parsePointer(expression.slice(prefix.length))
  return names === undefined || names.length === 0 ? undefined : names
}
