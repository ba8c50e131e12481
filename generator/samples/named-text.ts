import type { JsonObject } from '../document/document.js'
import { own } from '../document/json.js'
import type { ValuePosition } from './place.js'

/** What a reader replaces in a sample: `CLIENT_ID` for `clientId`. Undefined: the name has no letter for it. */
export function capitals(name: string): string | undefined {
  const words = name.replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1_').replaceAll(/[^A-Za-z0-9]+/g, '_')
  const text = words.replaceAll(/^_|_$/g, '').toUpperCase()
  return /[A-Z]/.test(text) ? text : undefined
}

/** The name of a text's position in capitals, if the schema accepts any text of that length. */
export function nameFor(schema: JsonObject, { pointer }: ValuePosition): string | undefined {
  if (shaping.some((keyword) => own(schema, keyword) !== undefined)) return undefined
  // The items of a list have its name.
  const key = pointer.split('/').findLast((token, index) => index > 0 && !/^\d+$/.test(token))
  const text = key === undefined ? undefined : capitals(key)
  if (text === undefined) return undefined
  const [least, most] = [own(schema, 'minLength'), own(schema, 'maxLength')]
  const fits = text.length >= Number(least ?? 0) && text.length <= Number(most ?? Number.POSITIVE_INFINITY)
  return fits ? text : undefined
}

const shaping = ['pattern', 'format', 'contentEncoding', 'contentMediaType', 'not']
