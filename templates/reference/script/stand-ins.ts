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
  const words = wordsIn(params, example)
  return {
    hidden: (given) => hiddenIn(words, given),
    params: hintedIn(words),
    shown: (given) => shownIn(words, given),
    missing: (given) => [
      ...missingIn(words, given, '').map((path) => violation(path, 'enter a value')),
      ...unchosenIn(given, '').map((path) => violation(path, 'choose a file')),
    ],
  }
}

/** The words in an object, and in the objects that it must have. */
interface Words {
  readonly schema: Schema
  readonly example: Schema
  readonly own: ReadonlyMap<string, string>
  readonly within: ReadonlyMap<string, Words>
}

function wordsIn(schema: Schema, example: Schema): Words {
  // The value of an alternative tells which one is chosen.
  const telling = new Set(
    choicesOf(schema).flatMap((alternatives) =>
      alternatives.flatMap(({ schema: one }) => propertiesOf(one).map(([name]) => name)),
    ),
  )
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const names = required.filter((name) => !telling.has(name))
  const properties = new Map(propertiesOf(schema))
  return {
    schema,
    example,
    own: new Map(
      names.flatMap((name): [string, string][] => {
        const word = capitals(name)
        return word !== undefined && example[name] === word ? [[name, word]] : []
      }),
    ),
    within: new Map(
      names.flatMap((name): [string, Words][] => {
        const [member, value] = [properties.get(name), example[name]]
        return member?.properties !== undefined && isSchema(value) ? [[name, wordsIn(member, value)]] : []
      }),
    ),
  }
}

function hintedIn({ schema, own, within }: Words): Schema {
  const hinted = propertiesOf(schema).map(([name, member]) => {
    const [word, inner] = [own.get(name), within.get(name)]
    return [name, word !== undefined ? { ...member, $word: word } : inner ? hintedIn(inner) : member]
  })
  return hinted.length === 0 ? schema : { ...schema, properties: Object.fromEntries(hinted) }
}

function hiddenIn({ own, within }: Words, given: Schema): Schema {
  return replaced(given, (name, value) => {
    const inner = within.get(name)
    if (inner !== undefined && isSchema(value)) return hiddenIn(inner, value)
    return value === own.get(name) ? '' : undefined
  })
}

function shownIn({ schema, example, own, within }: Words, given: Schema): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  // A form has nothing for a choice that is still open.
  return inOrderOf(example, {
    ...Object.fromEntries([...own].filter(([name]) => isChoice(properties[name]))),
    ...replaced(given, (name, value) => {
      const inner = within.get(name)
      if (inner !== undefined && isSchema(value)) return shownIn(inner, value)
      return value === '' ? own.get(name) : undefined
    }),
  })
}

/** Pointers to words. */
function missingIn({ own, within }: Words, given: Schema, path: string): string[] {
  return [
    ...[...own].flatMap(([name, word]) => (given[name] === word ? [`${path}/${escaped(name)}`] : [])),
    ...[...within].flatMap(([name, inner]) => {
      const value = given[name]
      return isSchema(value) ? missingIn(inner, value, `${path}/${escaped(name)}`) : []
    }),
  ]
}

function isChoice(member: unknown): boolean {
  return isSchema(member) && Array.isArray(member.enum)
}

/** @param instead the member's other value, if it has one */
function replaced(
  given: Schema,
  instead: (name: string, value: unknown) => unknown,
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
