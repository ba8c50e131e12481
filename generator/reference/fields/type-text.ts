import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { strictestFirst } from '../../document/vocabulary.js'
import { writtenMember } from '../../document/written-digits.js'
import { isBinarySchema } from '../../model/content/binary.js'
import { referenceOf, type Schema } from '../../schema/schema.js'

/** Part of a type's description. If it names a component schema, it links to the section. */
export interface TypePart {
  readonly text: string
  readonly component?: string
}

/** A type's description for people: `array of Client`, `integer or null`, `'asc' or 'desc'`. */
export function typeParts(schema: Schema, depth = 0): TypePart[] {
  if (schema === true) return [{ text: 'any' }]
  if (schema === false) return [{ text: 'never' }]
  if (isBinarySchema(schema)) return [{ text: 'file' }]
  const component = referenceOf(schema)
  if (component !== undefined) return [{ text: component, component }]
  const known = own(schema, 'enum')
  if (isArray(known)) return [{ text: choices(known) }]
  if (Object.hasOwn(schema, 'const')) return [{ text: writtenMember(schema, 'const') }]
  if (depth > 3) return [{ text: plainType(schema) }]
  for (const keyword of strictestFirst) {
    const branches = own(schema, keyword)
    if (isArray(branches) && branches.length > 0) {
      const shown = branches.slice(0, 6).map((branch) => typeParts(branch as Schema, depth + 1))
      return [
        ...joined(shown, ' or '),
        ...(branches.length > 6 ? [{ text: ` or ${branches.length - 6} more` }] : []),
      ]
    }
  }
  const all = own(schema, 'allOf')
  if (isArray(all) && all.length > 0 && !Object.hasOwn(schema, 'properties')) {
    return joined(
      all.slice(0, 4).map((branch) => typeParts(branch as Schema, depth + 1)),
      ' and ',
    )
  }
  return structured(schema, depth)
}

/** The same as plain text. */
export function typeText(schema: Schema): string {
  return typeParts(schema)
    .map(({ text }) => text)
    .join('')
}

function structured(schema: JsonObject, depth: number): TypePart[] {
  const items = own(schema, 'items')
  const type = own(schema, 'type')
  if (type === 'array' && items !== undefined)
    return [{ text: 'array of ' }, ...typeParts(items as Schema, depth + 1)]
  const values = own(schema, 'additionalProperties')
  const isMap = isObject(values) && Object.keys(values).length > 0 && !Object.hasOwn(schema, 'properties')
  if (type === 'object' && isMap) return [{ text: 'map of ' }, ...typeParts(values, depth + 1)]
  return [{ text: plainType(schema) }]
}

function plainType(schema: JsonObject): string {
  const type = own(schema, 'type')
  const format = own(schema, 'format')
  const names = isArray(type) ? type.map(String).join(' or ') : typeof type === 'string' ? type : 'any'
  return typeof format === 'string' ? `${names} (${format})` : names
}

/** Most values of an enumeration in its words. */
export const shownValues = 12

function choices(values: readonly Json[]): string {
  const shown = values.slice(0, shownValues).map((_, index) => writtenMember(values, index))
  const further = values.length - shownValues
  return [...shown, ...(further > 0 ? [`${further} more`] : [])].join(' or ')
}

function joined(lists: readonly TypePart[][], separator: string): TypePart[] {
  return lists.flatMap((list, index) => (index === 0 ? list : [{ text: separator }, ...list]))
}
