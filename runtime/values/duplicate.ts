/**
 * The index of the first item of a list that equals an earlier one (JSON Schema 2020-12 core, section 4.2.2),
 * and that one's index; undefined if all differ. Takes time linear in the items' text.
 */
export function duplicate(items: readonly unknown[]): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<string, number>()
  for (const [i, item] of items.entries()) {
    const key = typeof item === 'string' ? `"${item}` : canonical(item)
    const j = seen.get(key)
    if (j !== undefined) return { i, j }
    seen.set(key, i)
  }
  return undefined
}

/** Equal values have the same text, and different values have different texts. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  // The prefix keeps numbers from being bare keys: callers could choose numbers whose hashes collide.
  if (typeof value !== 'object' || value === null) return `:${String(value)}`
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join()}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => JSON.stringify(name) + canonical(Reflect.get(value, name))).join()}}`
}
