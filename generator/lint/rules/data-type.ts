import type { Json } from '../../document/document.js'
import type { DataType } from '../../document/field.js'
import { isArray, isObject, quoted, typeName } from '../../document/json.js'
import { closest } from '../../document/spelling.js'
import { schemaTypes } from '../../document/vocabulary.js'

/** Why a value does not match: `must be …` in words. */
export interface Misfit {
  readonly code: 'wrong-type' | 'invalid-value'
  readonly message: string
  readonly remedy?: string
}

/**
 * Checks a value against a plain type of the grammar. Undefined if it matches.
 *
 * @param written gives the value as it is in the file: 1.0, which is read as 1
 */
export function misfit(type: DataType, value: Json, written = () => String(value)): Misfit | undefined {
  if (type === 'type') return typeMisfit(value)
  const [expected, accepts] = checks[type]
  if (accepts(value)) return undefined
  const bounded = typeof value === 'number' || isArray(value)
  if (bounded && ranges[type]?.(value)) {
    const remedy = isArray(value) ? 'Keep each once.' : `Give ${expected}.`
    return { code: 'invalid-value', message: `must be ${expected}`, remedy }
  }
  const remedy =
    type === 'text' && ['number', 'boolean'].includes(typeof value)
      ? { remedy: `Put it in quotes: '${written()}'.` }
      : {}
  return { code: 'wrong-type', message: `must be ${expected}; it is ${typeName(value)}`, ...remedy }
}

const isText = (value: Json) => typeof value === 'string'
const isTexts = (value: Json) => isArray(value) && value.every(isText)
const isUnique = (value: Json) => isArray(value) && new Set(value).size === value.length
const isUniqueTexts = (value: Json) => isTexts(value) && isUnique(value)

const checks: Readonly<
  Record<Exclude<DataType, 'type'>, readonly [expected: string, accepts: (value: Json) => boolean]>
> = {
  any: ['anything', () => true],
  text: ['text', isText],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number'],
  positive: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  count: ['a whole number from 0', (value) => Number.isInteger(value) && Number(value) >= 0],
  list: ['an array', isArray],
  texts: ['an array of texts', isTexts],
  uniqueTexts: ['an array of different texts', isUniqueTexts],
  textMap: ['an object of texts', (value) => isObject(value) && Object.values(value).every(isText)],
  textsMap: [
    'an object of arrays of different texts',
    (value) => isObject(value) && Object.values(value).every(isUniqueTexts),
  ],
  anyMap: ['an object', isObject],
}

/** Range checks for values of the right type. */
const ranges: Partial<Record<DataType, (value: Json) => boolean>> = {
  positive: (value) => typeof value === 'number',
  count: (value) => typeof value === 'number',
  uniqueTexts: isTexts,
}

/** JSON Schema 2020-12, validation, section 6.1.1. */
function typeMisfit(value: Json): Misfit | undefined {
  const names = isArray(value) ? value : [value]
  if (!names.every(isText))
    return { code: 'wrong-type', message: 'must be the name of a type or an array of such names' }
  const wrong = names.find((name) => !schemaTypes.some((type) => type === name))
  if (wrong !== undefined) {
    const similar = closest(typeof wrong === 'string' ? wrong : '', schemaTypes)
    const message = `must be one of ${schemaTypes.join(', ')}; it is ${quoted(wrong)}`
    return {
      code: 'invalid-value',
      message,
      ...(similar !== undefined && { remedy: `Did you mean ${similar}?` }),
    }
  }
  if (names.length > 0 && isUnique(names)) return undefined
  const remedy = 'Keep each type once.'
  return { code: 'invalid-value', message: 'must name at least one type, and each once', remedy }
}
