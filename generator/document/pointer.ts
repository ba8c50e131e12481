import type { Json } from './document.js'
import { isArray, isObject, own } from './json.js'

/** A path into a value as a list that grows at its end; `undefined` is the root. */
export type Path = { readonly parent: Path; readonly key: string } | undefined

/** The keys from the root down. */
export function segmentsOf(path: Path): string[] {
  const segments: string[] = []
  for (let at = path; at !== undefined; at = at.parent) segments.push(at.key)
  return segments.reverse()
}

/** `#/paths/~1clients/get` (RFC 6901 section 6, without percent-encoding). */
export function formatPointer(segments: readonly string[]): string {
  return `#${segments.map((segment) => `/${escaped(segment)}`).join('')}`
}

/** A key as a pointer has it. */
export function escaped(segment: string): string {
  return /[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
}

/** The key that a pointer has as a segment. */
export function unescaped(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}

/** Segments of a pointer with or without its `#`; undefined where it is not a JSON pointer (RFC 6901 section 3). */
export function parsePointer(pointer: string): string[] | undefined {
  const text = pointer.startsWith('#') ? pointer.slice(1) : pointer
  if (text === '') return []
  return text.startsWith('/') ? text.slice(1).split('/').map(unescaped) : undefined
}

/** Segments of a URI fragment, percent-decoded first (RFC 6901 section 6). */
export function parseFragment(fragment: string): string[] | undefined {
  return parsePointer(decodePercent(fragment))
}

/** Percent-decodes text; text with a malformed escape is taken as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value at a path. Undefined if there is none (RFC 6901 section 4). */
export function valueAt(root: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const segment of segments) {
    if (isArray(value)) value = /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined
    else if (isObject(value)) value = own(value, segment)
    else return undefined
  }
  return value
}
