/** A JSON object. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets a member as JSON.parse does: `__proto__` becomes an ordinary own property. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[name] = value
  }
}
