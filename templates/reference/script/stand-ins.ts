import type { Violation } from 'duet-runtime/client'
import { escaped } from '../../../generator/document/pointer.js'
import { capitals } from '../../../generator/samples/named-text.js'
import { isSchema } from './editor/editor-part.js'
import type { Schema, Tried } from './page.js'

/** What samples show until a reader has the value, and what is never sent. */
export interface StandIns {
  /** The values that the form begins with. */
  readonly initial: Schema
  /** The form's schema, which shows the words in fields that are empty. */
  readonly params: Schema
  /** What the form holds, with a word in place of each empty text. */
  shown(params: Schema): Schema
  /** What a reader still has to enter. */
  missing(params: Schema): Violation[]
}

/** The file of a required field without one. */
export const unchosen = new File(['mock'], 'FILE')

/** Required texts of which the document has no value stand as their names in capitals: `CLIENT_ID` for `clientId`. */
export function standInsOf({ params, example }: Tried): StandIns {
  // The value of an alternative tells which one is chosen.
  const required = Array.isArray(params.$choices) ? [] : params.required
  const words = new Map(
    Object.entries(example).filter(
      ([name, value]) => Array.isArray(required) && required.includes(name) && value === capitals(name),
    ),
  )
  const properties = Object.entries(isSchema(params.properties) ? params.properties : {})
  const hinted = properties.map(([name, member]) =>
    words.has(name) && isSchema(member) ? [name, { ...member, $word: words.get(name) }] : [name, member],
  )
  return {
    initial: Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, words.has(name) ? '' : value]),
    ),
    params: { ...params, properties: Object.fromEntries(hinted) },
    shown: (given) => ({
      ...given,
      ...Object.fromEntries([...words].filter(([name]) => given[name] === '')),
    }),
    missing: (given) => [
      ...[...words.keys()]
        .filter((name) => given[name] === '')
        .map((name) => violation(`/${escaped(name)}`, 'enter a value')),
      ...unchosenIn(given, '').map((path) => violation(path, 'choose a file')),
    ],
  }
}

/** Pointers to files that are not chosen. */
function unchosenIn(value: unknown, path: string): string[] {
  if (value === unchosen) return [path]
  if (typeof value !== 'object' || value === null || value instanceof Blob) return []
  return Object.entries(value).flatMap(([name, part]) => unchosenIn(part, `${path}/${escaped(name)}`))
}

function violation(path: string, message: string): Violation {
  return { path, keyword: 'required', message }
}
