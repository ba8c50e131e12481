import type { Json, JsonObject } from '../document/document.js'
import { own } from '../document/json.js'
import { isNote, keywordsThat } from '../document/vocabulary.js'

/**
 * Notes are keywords that no validator checks and programs rely on. A change of most of them needs a converter that a
 * person writes; a change of these needs none.
 */
const settled: ReadonlySet<string> = new Set([
  // `derive` names what validators fill in.
  'default',
  // A reading says them with keywords that validators check.
  ...['readOnly', 'writeOnly', 'discriminator'],
  // They announce, and say nothing of values.
  ...['deprecated', 'x-stability-level', 'x-sunset'],
  // The runtime converts: params by the datetimes of both versions, results by those of the older one, whose callers get
  // them.
  'x-timezone',
])

/**
 * Notes whose values are compared: a keyword that nothing above knows is one of them. Containment does not know what
 * reading a document replaces.
 */
export const comparedNotes: ReadonlySet<string> = keywordsThat(
  (keyword) => (isNote(keyword) && !settled.has(keyword.name)) || keyword.upgraded === true,
)

/** A format of OpenAPI 3.0 says the same as a keyword of 3.1. */
const formats: { readonly [keyword: string]: readonly [format: string, value: string] } = {
  contentEncoding: ['byte', 'base64'],
  contentMediaType: ['binary', 'application/octet-stream'],
}

/** What a schema notes, by the keyword or by the format. */
export function noteOf(part: JsonObject, keyword: string): Json | undefined {
  const [format, value] = formats[keyword] ?? []
  return own(part, keyword) ?? (format !== undefined && own(part, 'format') === format ? value : undefined)
}
