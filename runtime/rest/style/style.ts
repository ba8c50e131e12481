import type { Coercion, ParameterBinding } from '../../contract/operation.js'

/** A parameter's decoded texts: one text, the items of an array, or the members of an object. */
export type Divided =
  | { readonly text: string; readonly items?: undefined }
  | { readonly text?: undefined; readonly items: readonly string[] }
  | {
      readonly text?: undefined
      readonly items?: undefined
      readonly members: readonly (readonly [string, string])[]
    }

/** Whether a parameter is one text, a list or an object. */
export type Shape = 'text' | 'items' | 'members'

export function shapeOf({ types }: Coercion): Shape {
  if (types.includes('array')) return 'items'
  return types.includes('object') ? 'members' : 'text'
}

/**
 * Divides one parameter's raw text by its style (OpenAPI 3.1 section 4.8.12.2, RFC 6570 section 3.2), then
 * decodes each part, so that an encoded delimiter is data. A parameter that may be an array or a plain value
 * is an array only if there is a delimiter.
 */
export function divide(
  raw: string,
  parameter: Pick<ParameterBinding, 'name' | 'coerce' | 'style' | 'explode'>,
  decode: (text: string) => string,
): Divided {
  const { coerce, style, explode, name } = parameter
  const shape = shapeOf(coerce)
  const prefixed = style === 'matrix' && (shape === 'text' || !explode)
  const text = prefixed
    ? withoutName(raw.slice(1), name)
    : style === 'label' || style === 'matrix'
      ? raw.slice(1)
      : raw
  if (shape === 'text') return { text: decode(text) }
  const parts = text.split(delimiterOf(style, explode))
  if (shape === 'members') return { members: membersOf(parts, explode, decode) }
  if (parts.length === 1 && mayBeText(coerce)) return { text: decode(text) }
  const items = style === 'matrix' && explode ? parts.map((part) => withoutName(part, name)) : parts
  return { items: items.map(decode) }
}

/**
 * The prefix that a raw text must have for its style but does not: `.`, or `;name` (RFC 6570 sections 3.2.5
 * and 3.2.7). An empty text is an empty list.
 */
export function missingPrefix(raw: string, parameter: ParameterBinding): string | undefined {
  const { style, explode, name, coerce } = parameter
  if (raw === '' || (style !== 'label' && style !== 'matrix')) return undefined
  if (style === 'label') return raw.startsWith('.') ? undefined : '.'
  if (shapeOf(coerce) === 'members' && explode) return raw.startsWith(';') ? undefined : ';'
  const parts = explode ? raw.slice(1).split(';') : [raw.slice(1)]
  const isNamed = parts.every((part) => part === name || part.startsWith(`${name}=`))
  return raw.startsWith(';') && isNamed ? undefined : `;${name}=`
}

/** Whether the schema allows plain values, not only arrays. */
export function mayBeText({ types }: Coercion): boolean {
  return types.some((type) => type !== 'array' && type !== 'object' && type !== 'null')
}

/** Delimiters in the raw text: a client must encode a space, and usually encodes a bar. */
function delimiterOf(style: ParameterBinding['style'], explode: boolean): string | RegExp {
  switch (style) {
    case 'spaceDelimited':
      return /%20|\+| /
    case 'pipeDelimited':
      return /\||%7C/i
    case 'label':
      return explode ? '.' : ','
    case 'matrix':
      return explode ? ';' : ','
    default:
      return ','
  }
}

function withoutName(text: string, name: string): string {
  if (text === name) return ''
  return text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text
}

/** `R=100,G=200` if exploded, else `R,100,G,200`. */
function membersOf(parts: readonly string[], explode: boolean, decode: (text: string) => string) {
  const members: (readonly [string, string])[] = []
  if (explode) {
    for (const part of parts) {
      const equals = part.indexOf('=')
      if (equals === -1) members.push([decode(part), ''])
      else members.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))])
    }
  } else {
    for (let i = 0; i + 1 < parts.length || (i < parts.length && parts[i] !== ''); i += 2) {
      members.push([decode(parts[i] ?? ''), decode(parts[i + 1] ?? '')])
    }
  }
  return members
}
