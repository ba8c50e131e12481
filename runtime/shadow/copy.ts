import { setMember } from '../values/object.js'

/** A deep copy of a JSON value. Undefined if the value has more parts than calls usually have. */
export function copied(value: unknown): unknown {
  left = MOST_PARTS
  const copy = copyOf(value)
  return left < 0 ? undefined : copy
}

const MOST_PARTS = 1000
let left = 0

function copyOf(value: unknown): unknown {
  left -= 1
  if (typeof value !== 'object' || value === null || left < 0) return value
  if (Array.isArray(value)) return value.map(copyOf)
  // A file is not copied.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') setMember(copy, name, copyOf(member))
    else copy[name] = copyOf(member)
  }
  return copy
}
