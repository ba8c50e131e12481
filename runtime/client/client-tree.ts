/** Every client's own members. An operation of the same name gets a trailing underscore. */
const reservedNames: ReadonlySet<string> = new Set(['call', 'batch', 'notify'])

/**
 * Builds the nested object of dotted operation names. Nodes have no prototype and members are defined, not
 * assigned, so names such as `constructor` and `__proto__` work like any other.
 *
 * @param methods by dotted operation name; `a` and `a.b` may both be operations
 * @param members the root's members besides the operations
 */
export function clientTree(methods: ReadonlyMap<string, object>, members: Record<string, unknown>): object {
  const root: object = Object.create(null)
  // Shorter names first: the method `a` must exist before `a.b` becomes its member.
  const sorted = [...methods]
    .map(([name, method]) => ({ parts: name.split('.'), method }))
    .sort((left, right) => left.parts.length - right.parts.length)
  for (const { parts, method } of sorted) {
    const [first = '', ...rest] = parts
    place(root, [reservedNames.has(first) ? `${first}_` : first, ...rest], method)
  }
  for (const [name, member] of Object.entries(members)) define(root, name, member)
  return root
}

function place(root: object, path: readonly string[], method: object): void {
  let node = root
  for (const part of path.slice(0, -1)) node = child(node, part)
  define(node, path.at(-1) ?? '', method)
}

function child(node: object, part: string): object {
  const existing = Object.getOwnPropertyDescriptor(node, part)
  // A function's own `name` and `length` are not nodes.
  if (existing?.enumerable) return existing.value
  const made: object = Object.create(null)
  define(node, part, made)
  return made
}

function define(node: object, name: string, value: unknown): void {
  Object.defineProperty(node, name, { value, enumerable: true, configurable: true })
}
