import { variableOf } from '../diff/proof/credentials.js'
import { credentials } from '../mock/curl.js'
import type { Model, Operation } from '../model/model.js'

/** The variables that samples read the credentials of an operation from: `API_KEY`. */
export function variablesOf(model: Model, operation: Operation): string[] {
  const { headers, query } = credentials(model, operation, variableOf)
  const written = [...headers.map(([, value]) => value), query].join(' ')
  return [...new Set(Array.from(written.matchAll(/\$([A-Z_]+)/g), ([, name]) => name ?? ''))]
}
