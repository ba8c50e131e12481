import type { ParameterBinding } from 'duet-runtime'
import { type Cursor, compareText, member, text } from '../../document/cursor.js'
import { isObject, own } from '../../document/json.js'
import { coercionOf, fieldCoercion, isPlainText, schemasInPlace } from '../../schema/coercion.js'
import { type Schema, schemaMap } from '../../schema/schema.js'
import { carrierOf } from '../content/carrier.js'
import type { MediaType } from '../content/content.js'
import { isOpen } from './free-form.js'

/** The fields of a form, from its schema and its `encoding`. Plain text fields need no binding. */
export function formFields(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  media: Pick<MediaType, 'cursor' | 'kind'>,
): ParameterBinding[] {
  const { properties = {} } = coercionOf(schemas, schema)
  const isPart = media.kind === 'multipart'
  const all = Object.entries(properties)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, coerce]) => fieldOf(name, coerce, encodingOf(media, name), isPart))
  const spread = isPart ? [] : all.filter(isSpread)
  // Names that no schema declares belong to the first object that accepts them.
  const open = spread.find(({ name }) => isOpen(schemas, fieldSchema(schemas, schema, name)))
  const members = new Set(spread.flatMap(({ coerce }) => Object.keys(coerce.properties ?? {})))
  return all
    .map((field) => (field === open ? { ...field, open: true as const } : field))
    .filter(({ name, coerce, json }) => {
      const isContested = open !== undefined || members.has(name)
      return isContested || !isPlainText(coerce) || json === true
    })
}

/** Whether the members of an object are fields of their own in a form. */
function isSpread(field: ParameterBinding): boolean {
  return carrierOf('form', field) === 'members'
}

function fieldSchema(schemas: ReadonlyMap<string, Schema>, schema: Schema, name: string): Schema {
  const parts = schemasInPlace(schemas, schema).flatMap((part) =>
    schemaMap(part, 'properties').flatMap(([key, property]) => (key === name ? [property] : [])),
  )
  return { allOf: parts }
}

/** A media type's encoding of a field. */
export function encodingOf({ cursor }: Pick<MediaType, 'cursor'>, name: string): Cursor | undefined {
  const encodings = member(cursor, 'encoding')
  return encodings && member(encodings, name)
}

function fieldOf(
  name: string,
  coerce: ParameterBinding['coerce'],
  encoding: Cursor | undefined,
  isPart: boolean,
): ParameterBinding {
  const style = text(encoding?.value, 'style')
  const [explode, allowReserved] = ['explode', 'allowReserved'].map((key) =>
    isObject(encoding?.value) ? own(encoding.value, key) : undefined,
  )
  // Any of the three makes the field be written like a parameter (OpenAPI 3.1.1 section 4.8.15.1.2).
  const isStyled = style !== undefined || [explode, allowReserved].some((flag) => typeof flag === 'boolean')
  const contentType = text(encoding?.value, 'contentType') ?? ''
  const types = coerce.types.filter((type) => type !== 'null')
  const isObjectAlone = types.length === 1 && types[0] === 'object' && coerce.binary !== true
  const items = [...(coerce.prefix ?? []), ...(coerce.items === undefined ? [] : [coerce.items])]
  const holdsObjects = items.some(({ types }) => types.includes('object'))
  // Without a style an object is JSON (OpenAPI 3.1, Encoding Object, default of contentType), and so is a null
  // in its place.
  const isJson = !isStyled && (isObjectAlone || /^application\/(.*\+)?json\b/i.test(contentType))
  // In brackets, an object differs from a text in its place.
  const isTextOrObject = !isJson && types.includes('object') && !types.includes('array')
  const known = styles.find((candidate) => candidate === style) ?? 'form'
  const field: ParameterBinding = {
    name,
    param: name,
    in: 'query',
    required: false,
    style: !isStyled && (holdsObjects || isTextOrObject) ? 'deepObject' : known,
    explode: typeof explode === 'boolean' ? explode : known === 'form',
    coerce: fieldCoercion(coerce),
    ...(isJson && { json: true }),
  }
  if (isPart || !isSpread(field) || coerce.properties === undefined) return field
  // The binder finds the members of a spread object by their names, those of texts too.
  const named = Object.entries(coerce.properties).map(([key, one]) => [key, fieldCoercion(one)] as const)
  return { ...field, coerce: { ...field.coerce, properties: Object.fromEntries(named) } }
}

const styles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
