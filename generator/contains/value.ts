/** A JSON value, as JSON.parse makes it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A text that two values share exactly when JSON Schema calls them equal: key order and -0 do not count. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (isObject(value)) {
    const keys = Object.keys(value).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(own(value, key))}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with own properties alone, so that a key named __proto__ is a key as any other. */
export function objectOf(entries: Iterable<readonly [string, Json]>): { readonly [key: string]: Json } {
  const result: { [key: string]: Json } = {}
  for (const [key, value] of entries)
    Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true })
  return result
}

function own(value: { readonly [key: string]: Json }, key: string): Json {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}
