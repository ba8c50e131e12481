import { setMember } from '../values/object.js'

/** A copy of a JSON value that may be changed. Undefined for one of more parts than a call usually has. */
export function copied(value: unknown): unknown {
  const left = { parts: MOST_PARTS }
  const copy = copyOf(value, left)
  return left.parts < 0 ? undefined : copy
}

const MOST_PARTS = 1000

function copyOf(value: unknown, left: { parts: number }): unknown {
  left.parts -= 1
  if (typeof value !== 'object' || value === null || left.parts < 0) return value
  if (Array.isArray(value)) return value.map((item) => copyOf(item, left))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setMember(copy, name, copyOf(Reflect.get(value, name), left))
  return copy
}
