/** JSON text of a string, as JSON.stringify writes it. */
export function quoted(text: string): string {
  const { length } = text
  if (length > LONGEST_LOOKED_AT) return JSON.stringify(text)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (
      code < SPACE ||
      code === QUOTE ||
      code === BACKSLASH ||
      (code >= FIRST_SURROGATE && code <= LAST_SURROGATE)
    )
      return JSON.stringify(text)
  }
  return `"${text}"`
}

/**
 * JSON text of any value inside an object; undefined if JSON.stringify would call the value's `toJSON`, omit
 * it or throw.
 */
export function anyText(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'object' && value !== null) return hasToJSON(value) ? undefined : objectText(value)
  const isScalar = typeof value === 'boolean' || typeof value === 'number' || value === null
  return isScalar ? JSON.stringify(value) : undefined
}

/** Whether an object's JSON text depends only on its members: it has no class and no `toJSON`. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || hasToJSON(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The same for an array. */
export function isPlainArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && !hasToJSON(value)
}

function objectText(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function hasToJSON(value: object): boolean {
  return 'toJSON' in value
}

/** For longer texts JSON.stringify is faster. */
const LONGEST_LOOKED_AT = 64

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
