import { compareText, text } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import type { SchemaAction } from '../change/table/schema-actions.js'

/** What the name of a type change depends on. */
export interface TypeManner {
  /** Types were listed as branches: `anyOf: [{type: string}, {type: integer}]`. */
  readonly listed: boolean
  /** The schema is nested in a parameter, whose values are written as text, too. */
  readonly nested: boolean
}

/** The changes of a schema's type and format, as last parts of change ids. */
export function typeActions(
  a: JsonObject,
  b: JsonObject,
  isRequest: boolean,
  manner: TypeManner,
): SchemaAction[] {
  const [old, fresh] = [typesOf(a), typesOf(b)]
  const actions: SchemaAction[] = []
  const nullable = (types: readonly string[]): boolean => types.includes('null')
  const typed = old.length > 0 && fresh.length > 0
  if (typed && nullable(old) !== nullable(fresh))
    actions.push(nullable(fresh) ? 'became-nullable' : 'became-not-nullable')
  const [one, other] = [old, fresh].map((types) => (typed ? types.filter((type) => type !== 'null') : types))
  const kinds = { old: one ?? [], fresh: other ?? [] }
  const same = kinds.old.join() === kinds.fresh.join()
  if (same && text(a, 'format') === text(b, 'format')) return actions
  if (typed && !same && manner.listed) {
    if (covers(kinds.fresh, kinds.old)) return [...actions, 'list-of-types-widened']
    if (covers(kinds.old, kinds.fresh)) return [...actions, 'list-of-types-narrowed']
  }
  const widened = isWider(kinds.old, kinds.fresh, text(a, 'format'), text(b, 'format'))
  const narrowed = isWider(kinds.fresh, kinds.old, text(b, 'format'), text(a, 'format'))
  if (widened) actions.push('type-generalized')
  else if (manner.nested && (narrowed || kinds.old.join() === 'string')) actions.push('type-specialized')
  else if (narrowed) actions.push(isRequest ? 'type-changed' : 'type-specialized')
  else actions.push('type-changed')
  return actions
}

/** The sorted types of a schema. Empty if it gives none. */
export function typesOf(schema: JsonObject): string[] {
  const { type } = schema
  const types: readonly Json[] = isArray(type) ? type : type === undefined ? [] : [type]
  return types.filter((name) => typeof name === 'string').sort()
}

/** Types and format as a message names them: `integer or null`, `string (date)`. */
export function kindOf(schema: JsonObject): Json {
  const types = typesOf(schema).sort(compareText)
  const format = own(schema, 'format')
  const name = types.length === 0 ? 'any' : types.join(' or ')
  return format === undefined ? name : `${name} (${String(format)})`
}

/** Whether the wider types and format include the narrower ones. */
function isWider(
  narrow: readonly string[],
  wide: readonly string[],
  narrowFormat = '',
  wideFormat = '',
): boolean {
  const formats =
    wideFormat === '' ||
    wideFormat === narrowFormat ||
    (widerFormats[narrowFormat] ?? []).includes(wideFormat)
  if (wide.length === 0) return wideFormat === ''
  return formats && narrow.length > 0 && covers(wide, narrow)
}

function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  return narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number')))
}

const widerFormats: { readonly [format: string]: readonly string[] } = {
  int32: ['int64', 'bigint', 'float', 'double'],
  int64: ['bigint', 'double'],
  float: ['double'],
  date: [],
}
