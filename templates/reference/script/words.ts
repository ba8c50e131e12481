import { capitals } from '../../../generator/samples/named-text.js'
import { isSchema } from './editor/editor-part.js'
import type { Schema, Tried } from './page.js'

/** The words that stand for required texts of which the document has no value: `CLIENT_ID` for `clientId`. */
export type Words = Readonly<Record<string, string>>

export function wordsOf({ params, example }: Tried): Words {
  // The value of an alternative tells which one is chosen.
  if (Array.isArray(params.$choices)) return {}
  const found = Object.entries(example).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] === capitals(entry[0]),
  )
  return Object.fromEntries(found)
}

/** The form's schema, which shows the words in fields that are empty. */
export function withWords(params: Schema, words: Words): Schema {
  const properties = Object.entries(isSchema(params.properties) ? params.properties : {})
  const hinted = properties.map(([name, member]) => {
    const word = Object.hasOwn(words, name) ? words[name] : undefined
    return [name, word !== undefined && isSchema(member) ? { ...member, $word: word } : member] as const
  })
  return { ...params, properties: Object.fromEntries(hinted) }
}

/** The params with the words of texts that a reader has not typed yet. */
export function worded(params: Schema, words: Words): Schema {
  return { ...params, ...Object.fromEntries(Object.entries(words).filter(([name]) => params[name] === '')) }
}
