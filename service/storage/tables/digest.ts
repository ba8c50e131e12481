import { createHash } from 'node:crypto'

/** SHA-256 of a value as JSON, independent of the order of its members. Ignores members that are undefined. */
export function digestOf(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
  return createHash('sha256').update(text).digest()
}
