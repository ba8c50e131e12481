/** A JSON value, as returned by JSON.parse. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object created from own properties, so a key named __proto__ is a key like any other. */
export function objectOf(entries: Iterable<readonly [string, Json]>): { readonly [key: string]: Json } {
  const result: { [key: string]: Json } = {}
  for (const [key, value] of entries)
    Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true })
  return result
}

/** The number of values in a value, including itself. Shared members count each time. */
export function weight(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  const known = weights.get(value)
  if (known !== undefined) return known
  let sum = 1
  for (const member of Object.values(value)) sum += weight(member)
  weights.set(value, sum)
  return sum
}

const weights = new WeakMap<object, number>()

/** The search skips larger values: values that share members double in size with every level. */
export const heaviest = 20_000
