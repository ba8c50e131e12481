import { fullFormats } from 'duet-runtime/validation'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { type KeywordName, keywordNamed, schemaTypes } from '../document/vocabulary.js'
import { zonedFormat } from './compiler.js'

/** A schema that is simple enough to write a value while checking it. */
export type TextSchema =
  | { readonly kind: 'any' }
  | { readonly kind: 'reference'; readonly id: string }
  /** Null, or a value of another schema. `isNullWritten`: the schema certainly allows null. */
  | { readonly kind: 'nullable'; readonly other: TextSchema; readonly isNullWritten: boolean }
  | { readonly kind: 'values'; readonly types: ReadonlySet<string>; readonly schema: JsonObject }

/** The keywords that text functions check. A new one goes to the validator until they check it. */
const checked: ReadonlySet<string> = new Set<KeywordName>([
  ...(['enum', 'const', 'format', 'minLength', 'maxLength', 'pattern'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'] as const),
])

/** Whether text functions check a keyword, for a schema with these types. Those of every type need a scalar. */
function isChecked(name: string, types: readonly string[]): boolean {
  const { of = 'string or number' } = keywordNamed(name) ?? {}
  return checked.has(name) && types.some((type) => of.includes(type === 'integer' ? 'number' : type))
}

/** Undefined if a schema has anything that only its validator understands. */
export function textSchemaOf(given: Json | undefined): TextSchema | undefined {
  if (given === true || given === undefined) return { kind: 'any' }
  if (!isObject(given)) return undefined
  const names = Object.keys(given)
  if (names.length === 0) return { kind: 'any' }
  const reference = given.$ref
  if (typeof reference === 'string')
    return names.length === 1 ? { kind: 'reference', id: reference } : undefined
  if (names.length === 1 && !Object.hasOwn(given, 'type')) return alternative(given)
  const { type, ...schema } = given
  const list = isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
  if (list.length === 0 || !list.every((each) => schemaTypes.some((type) => type === each))) return undefined
  if (!Object.keys(schema).every((name) => isChecked(name, list))) return undefined
  return isWritable(schema, new Set(list)) ? { kind: 'values', types: new Set(list), schema } : undefined
}

/** A schema that is another one, or another one or null. */
function alternative({ allOf, anyOf, oneOf }: JsonObject): TextSchema | undefined {
  if (isArray(allOf)) return allOf.length === 1 ? textSchemaOf(allOf[0]) : undefined
  const branches = anyOf ?? oneOf
  if (!isArray(branches) || branches.length !== 2) return undefined
  const others = branches.filter((branch) => !isNull(branch))
  if (others.length !== 1) return undefined
  const other = textSchemaOf(others[0])
  // With `oneOf`, both branches may accept null, and then null is invalid.
  return other && { kind: 'nullable', other, isNullWritten: anyOf !== undefined }
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema.type === 'null' && Object.keys(schema).length === 1
}

/** Whether keywords whose values have several forms have a form that is written. */
function isWritable(schema: JsonObject, list: ReadonlySet<string>): boolean {
  const choices = choicesOf(schema)
  if (choices !== undefined) {
    if (list.has('array') || list.has('object') || list.has('boolean')) return false
    if (choices.length > MOST_CHOICES || !choices.every((each) => isScalar(each))) return false
  }
  const { format } = schema
  return typeof format !== 'string' || formatCheck(format, 'v', list) !== undefined
}

/**
 * The values that `enum` and `const` allow. Undefined without both keywords. Empty if they allow none that is
 * known here.
 */
export function choicesOf({ enum: list, const: only }: JsonObject): readonly Json[] | undefined {
  if (only !== undefined) return list === undefined ? [only] : []
  return isArray(list) ? list : undefined
}

/**
 * An expression that is true for a text or number in a format. '' for a format that does not restrict these
 * types, undefined for an unknown one.
 */
export function formatCheck(format: string, value: string, list: ReadonlySet<string>): string | undefined {
  if (format === zonedFormat) return list.has('string') ? `zonedDateTime(${value})` : undefined
  const definition: unknown = Object.entries(fullFormats).find(([name]) => name === format)?.[1]
  if (definition === undefined || definition === true) return ''
  const known = `fullFormats[${JSON.stringify(format)}]`
  const isText = list.has('string')
  if (definition instanceof RegExp) return isText ? `${known}.test(${value})` : ''
  if (typeof definition === 'function') return isText ? `${known}(${value})` : ''
  const about = Reflect.get(Object(definition), 'type') === 'number' ? 'number' : 'string'
  const isNumber = list.has('integer') || list.has('number')
  if (isText && isNumber) return undefined
  return (about === 'string') === isText ? `${known}.validate(${value})` : ''
}

function isScalar(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'number' || value === null
}

/** With more values, other means are faster than one comparison after another. */
const MOST_CHOICES = 40
