/**
 * JSON text of a value, as JSON.stringify writes it, but with a bigint as its digits.
 *
 * @throws what JSON.stringify throws: a TypeError for a cycle
 */
export function jsonText(value: unknown): string {
  // Programs may have given BigInt a `toJSON` that makes it a string.
  if ('toJSON' in BigInt.prototype) return textOf(value, '', []) as string
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Undefined if JSON.stringify returns undefined, which its type does not say either.
    return textOf(value, '', []) as string
  }
}

/** Undefined for values without a text: a function, a symbol, undefined. */
function textOf(given: unknown, key: string, above: readonly unknown[]): string | undefined {
  if (typeof given === 'bigint') return String(given)
  const value = hasToJSON(given) ? given.toJSON(key) : given
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (above.includes(value)) throw new TypeError('The value contains itself, so it has no JSON text')
  const inner = [...above, value]
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, i) => textOf(item, String(i), inner) ?? 'null').join()}]`
  }
  if (!isPlain(value)) return JSON.stringify(value)
  const members = Object.keys(value).flatMap((name) => {
    const text = textOf(Reflect.get(value, name), name, inner)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join()}}`
}

function hasToJSON(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  )
}

/** Whether JSON writes an object by its members: not `new String('a')` and the like. */
function isPlain(value: object): boolean {
  return !(value instanceof String || value instanceof Number || value instanceof Boolean)
}
