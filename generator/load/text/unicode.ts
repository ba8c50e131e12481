import type { Json } from '../../document/document.js'
import { isArray, isObject, quoted } from '../../document/json.js'

/** A text of a document that is not valid Unicode. */
export interface BrokenText {
  readonly message: string
  readonly path: readonly string[]
}

/**
 * Texts and keys with half a surrogate pair. Only an escape sequence can write one (RFC 8259 section 8.2). No
 * file, URL or header can contain one, so generated code could not either.
 *
 * @param source text that the value was parsed from
 */
export function brokenTexts(source: string, value: Json): BrokenText[] {
  const found: BrokenText[] = []
  const visit = (value: Json, path: readonly string[]): void => {
    if (typeof value === 'string') check(value, path)
    else if (isArray(value))
      for (const [index, item] of value.entries()) visit(item, [...path, String(index)])
    else if (isObject(value))
      for (const [key, member] of Object.entries(value)) {
        check(key, [...path, key])
        visit(member, [...path, key])
      }
  }
  const check = (text: string, path: readonly string[]): void => {
    if (!/\p{Cs}/u.test(text)) return
    found.push({ message: `${quoted(text)} has half a surrogate pair, which is not a character`, path })
  }
  if (/\\(?:u|U0000)d[89a-f]/i.test(source)) visit(value, [])
  return found
}
