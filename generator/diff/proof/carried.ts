import type { Coercion, ParameterBinding } from 'duet-runtime'
import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import type { Operation } from '../../model/model.js'
import type { Way } from '../change/place.js'
import { asObject } from '../change/side.js'

/**
 * Conditions under which REST can carry a request. First, nothing is empty, and everything arrives as what it was: many
 * styles have no text for empty or nested values, and members that no schema declares arrive as texts. If that is
 * impossible, only the parameter that shows the change is, or at least nothing in the path.
 */
export function carried({ rest, params: whole }: Operation, [shown]: Way): readonly Json[] {
  const params = (
    places: readonly string[],
    schemaOf: (binding: ParameterBinding) => Json,
    except?: string,
  ): Json => {
    const found = rest.parameters.filter(
      (parameter) => places.includes(parameter.in) && parameter.param !== except,
    )
    return { properties: objectOf(found.map((binding) => [binding.param, schemaOf(binding)])) }
  }
  const all = ['path', 'query', 'header', 'cookie']
  const isNested = rest.parameters.some(({ coerce }) => hasParts(coerce))
  const isForm =
    rest.body?.kind === 'fields' && rest.body.media?.every(({ kind }) => kind === 'form') === true
  const fields = rest.body?.media?.flatMap(({ fields: declared = [] }) => declared) ?? []
  const names = Object.keys(asObject(asObject(whole).properties))
  const fieldOf = (name: string): Json => {
    const field = fields.find(({ param }) => param === name)
    return field === undefined ? { ...full, items: scalar, additionalProperties: scalar } : arriving(field)
  }
  return [
    // In a form, a field that the schema does not name is a text.
    ...(isForm
      ? [{ properties: objectOf(names.map((name) => [name, fieldOf(name)])), additionalProperties: text }]
      : []),
    ...(isNested ? [params(all, arriving)] : []),
    params(all, written),
    ...(isNested && rest.parameters.some(({ param }) => param === shown)
      ? [params(all, written, shown)]
      : []),
    params(['path'], written),
  ]
}

/** Values that are not empty. Without a type in its schema, a parameter arrives as a text. */
function written({ coerce, json }: ParameterBinding): Json {
  return json !== true && isOfText(coerce) ? text : full
}

function isOfText({ types }: Coercion): boolean {
  return types.every((type) => type === 'string')
}

/** Values that the service reads as they were. */
function arriving({ coerce, style, json }: ParameterBinding): Json {
  return json === true ? full : withParts(coerce, style === 'deepObject')
}

function withParts({ items, properties = {}, values }: Coercion, isDeep: boolean): JsonObject {
  const part = (coercion: Coercion | undefined): Json => {
    if (coercion === undefined) return text
    if (isDeep && hasParts(coercion)) return withParts(coercion, isDeep)
    return isOfText(coercion) ? text : scalar
  }
  return {
    ...full,
    items: items === undefined ? scalar : part(items),
    properties: objectOf(Object.entries(properties).map(([name, member]) => [name, part(member)])),
    additionalProperties: part(values),
  }
}

function hasParts({ types }: Coercion): boolean {
  return types.includes('array') || types.includes('object')
}

const full: JsonObject = { minLength: 1, minItems: 1, minProperties: 1, not: { enum: [null, '.', '..'] } }
const scalar: Json = { type: ['string', 'number', 'boolean'], minLength: 1 }
const text: Json = { ...full, type: 'string' }
