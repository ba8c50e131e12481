import type { BodyMedia, ParameterBinding } from 'duet-runtime'

/**
 * How a form carries the value of a field, as binders read it and clients write it. `repeated`: the name once for each
 * item; `repeated files` alike. `joined`: one text with delimiters. `members`: each member of an object is a field of its
 * own. `brackets`: `a[b]=…`.
 */
export type Carrier =
  | 'text'
  | 'file'
  | 'JSON'
  | 'repeated'
  | 'repeated files'
  | `joined ${ParameterBinding['style']}`
  | 'members'
  | 'brackets'

/** The carrier of a form's field; what has no binding is text. */
export function carrierOf(kind: BodyMedia['kind'], field: ParameterBinding | undefined): Carrier {
  if (field === undefined) return 'text'
  const { coerce, explode, json, style } = field
  const [isList, isObject] = [coerce.types.includes('array'), coerce.types.includes('object')]
  // As JSON a number is written as it is anyway.
  if (json === true) return coerce.types.every((type) => bare.has(type)) ? 'text' : 'JSON'
  if (isList && coerce.items?.binary === true) return 'repeated files'
  if (!isList && !isObject) return coerce.binary === true ? 'file' : 'text'
  if (style === 'deepObject') return 'brackets'
  // Parts of an object have brackets, whatever its style is.
  if (kind === 'multipart' && !isList) return 'brackets'
  if (!explode) return `joined ${style}`
  return isList ? 'repeated' : 'members'
}

const bare: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])
