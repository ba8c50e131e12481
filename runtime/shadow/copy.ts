/** A deep copy of a JSON value. Undefined if the value has more parts than calls usually have. */
export function copied(value: unknown): unknown {
  left = MOST_PARTS - 1
  const copy = copyOf(value)
  return left < 0 ? undefined : copy
}

const MOST_PARTS = 1000
let left = 0

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    left -= value.length
    return left < 0 ? value : value.map(copyOf)
  }
  // A file is not copied.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const names = Object.keys(value)
  left -= names.length
  if (left < 0) return value
  // Engines copy a flat object at once, which most params are. A member __proto__ stays a member.
  const copy: Record<string, unknown> = { ...value }
  for (const name of names) {
    const member = copy[name]
    if (typeof member === 'object' && member !== null) copy[name] = copyOf(member)
  }
  return copy
}
