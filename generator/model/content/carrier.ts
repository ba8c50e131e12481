import type { BodyMedia, ParameterBinding } from 'duet-runtime'

/**
 * How a form transports the value of a field. Binders and clients agree on it. `repeated`: the name once for
 * each item; `repeated files`: the same for files. `joined`: one text with delimiters. `members`: each member
 * of an object is a field of its own. `brackets`: `a[b]=…`.
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

/** The carrier of a form field. A field without a binding is text. */
export function carrierOf(kind: BodyMedia['kind'], field: ParameterBinding | undefined): Carrier {
  if (field === undefined) return 'text'
  const { coerce, explode, json, style } = field
  const [isList, isObject] = [coerce.types.includes('array'), coerce.types.includes('object')]
  // A JSON number has the same text either way.
  if (json === true) return coerce.types.every((type) => bare.has(type)) ? 'text' : 'JSON'
  if (isList && coerce.items?.binary === true) return 'repeated files'
  if (!isList && !isObject) return coerce.binary === true ? 'file' : 'text'
  if (style === 'deepObject') return 'brackets'
  // Parts of an object use brackets, whatever its style.
  if (kind === 'multipart' && !isList) return 'brackets'
  if (!explode) return `joined ${style}`
  return isList ? 'repeated' : 'members'
}

const bare: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])
