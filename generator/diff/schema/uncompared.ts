import { canonical } from '../../contains/values/value.js'
import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { unknownKeywords } from '../../document/vocabulary.js'
import { comparedSchemas } from './composition.js'
import { comparedValues } from './keywords.js'

const compared: ReadonlySet<string> = new Set([...comparedValues, ...comparedSchemas])

const uncompared = unknownKeywords((name) => compared.has(name))

/**
 * Throws if two schemas differ in a keyword of the table that the review does not compare. Without this, it would call
 * them identical.
 */
export function refuseUncompared(a: JsonObject, b: JsonObject): void {
  for (const { name } of uncompared)
    if (canonical(own(a, name) ?? null) !== canonical(own(b, name) ?? null))
      throw new Error(`the review does not compare the keyword ${name}`)
}
