import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { isLimiting, isNote, keywordsThat } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { comparedSchemas } from './composition.js'
import { comparedKeywords } from './keywords.js'

const compared: ReadonlySet<string> = new Set([...comparedKeywords, ...comparedSchemas])

const uncompared = keywordsThat(
  (keyword) => (isLimiting(keyword) || isNote(keyword)) && !compared.has(keyword.name),
)

/**
 * Throws if two schemas differ in a keyword of the table that the review does not compare. Without this, it would call
 * them identical.
 */
export function refuseUncompared(a: JsonObject, b: JsonObject): void {
  for (const name of uncompared)
    if (fingerprint(own(a, name) ?? null) !== fingerprint(own(b, name) ?? null))
      throw new Error(`the review does not compare the keyword ${name}`)
}
