import type { Violation } from 'duet-runtime/client'
import { escaped } from '../../../generator/document/pointer.js'
import { capitals } from '../../../generator/samples/named-text.js'
import { choicesOf, propertiesOf } from './editor/editor-choice.js'
import { inOrderOf, isSchema } from './editor/editor-part.js'
import type { Schema } from './page.js'

/** What samples show until a reader has the value, and what is never sent. */
export interface StandIns {
  /** The form's schema, which shows the words in fields that are empty. */
  readonly params: Schema
  /** What a form holds, with a word in place of each empty text. */
  shown(params: Schema): Record<string, unknown>
  /** The same for a form: with an empty text in place of each word. */
  hidden(params: Schema): Schema
  /** What a reader still has to enter. */
  missing(params: Schema): Violation[]
}

/** The file of a required field without one. */
export const unchosen = new File(['mock'], 'FILE')

/**
 * Required texts and choices of which the document has no value stand as their names in capitals: `CLIENT_ID` for
 * `clientId`.
 */
export function standInsOf(params: Schema, example: Schema): StandIns {
  // The value of an alternative tells which one is chosen.
  const telling = new Set(
    choicesOf(params).flatMap((alternatives) =>
      alternatives.flatMap(({ schema }) => propertiesOf(schema).map(([name]) => name)),
    ),
  )
  const required = Array.isArray(params.required) ? params.required.map(String) : []
  const names = required.filter((name) => !telling.has(name))
  const words = new Map(
    names.flatMap((name): [string, string][] => {
      const word = capitals(name)
      return word !== undefined && example[name] === word ? [[name, word]] : []
    }),
  )
  const properties = isSchema(params.properties) ? params.properties : {}
  const hinted = Object.entries(properties).map(([name, member]) =>
    words.has(name) && isSchema(member) ? [name, { ...member, $word: words.get(name) }] : [name, member],
  )
  return {
    hidden: (given) => replaced(given, (name, value) => (value === words.get(name) ? '' : undefined)),
    params: { ...params, properties: Object.fromEntries(hinted) },
    shown: (given) =>
      // A form has nothing for a choice that is still open.
      inOrderOf(example, {
        ...Object.fromEntries([...words].filter(([name]) => isChoice(properties[name]))),
        ...replaced(given, (name, value) => (value === '' ? words.get(name) : undefined)),
      }),
    missing: (given) => [
      ...[...words]
        .filter(([name, word]) => given[name] === word)
        .map(([name]) => violation(`/${escaped(name)}`, 'enter a value')),
      ...unchosenIn(given, '').map((path) => violation(path, 'choose a file')),
    ],
  }
}

function isChoice(member: unknown): boolean {
  return isSchema(member) && Array.isArray(member.enum)
}

/** @param instead the member's other value, if it has one */
function replaced(
  given: Schema,
  instead: (name: string, value: unknown) => string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, instead(name, value) ?? value]),
  )
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
