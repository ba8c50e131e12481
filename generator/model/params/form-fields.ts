import type { Coercion, ParameterBinding } from 'duet-runtime'
import { type Cursor, compareText, member, text } from '../../document/cursor.js'
import { isObject, own } from '../../document/json.js'
import { fieldCoercion, isPlainText } from '../../schema/coercion.js'
import type { MediaType } from '../content/content.js'

/** The fields of a form, from its schema and its `encoding`. Plain text fields need no binding. */
export function formFields(
  { properties = {} }: Coercion,
  media: Pick<MediaType, 'cursor'>,
): ParameterBinding[] {
  return Object.entries(properties)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, coerce]) => fieldOf(name, coerce, encodingOf(media, name)))
    .filter((field) => !isPlainText(field.coerce) || field.json === true)
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
  const known = styles.find((candidate) => candidate === style) ?? 'form'
  return {
    name,
    param: name,
    in: 'query',
    required: false,
    style: !isStyled && holdsObjects ? 'deepObject' : known,
    explode: typeof explode === 'boolean' ? explode : known === 'form',
    coerce: fieldCoercion(coerce),
    // Without a style an object is JSON (OpenAPI 3.1, Encoding Object, default of contentType), and so is a
    // null in its place.
    ...(!isStyled && (isObjectAlone || /^application\/(.*\+)?json\b/i.test(contentType)) && { json: true }),
  }
}

const styles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
