import type { JsonObject } from './document.js'
import { shapes, walk } from './grammar.js'
import { isObject, own } from './json.js'
import { formatPointer, parseFragment, segmentsOf } from './pointer.js'

/** Names the operations that a place of a bundled document belongs to, directly or through references. */
export class UsingOperations {
  /** For each component, operation and path: which of them refer to it. */
  readonly #referring = new Map<string, Set<string>>()
  readonly #operations = new Map<string, string>()

  constructor(root: JsonObject) {
    walk({ kind: 'document', value: root, path: undefined }, ({ kind, value, path }) => {
      const segments = segmentsOf(path)
      const owner = ownerOf(segments)
      if (kind === 'operation' && segments[0] === 'paths') {
        const name = `${segments.at(-1)?.toUpperCase()} ${segments[1]}`
        this.#operations.set(owner, name)
        this.#refer(ownerOf(segments.slice(0, 2)), owner)
      }
      const reference = isObject(value) ? own(value, '$ref') : undefined
      const target =
        typeof reference === 'string' && reference.startsWith('#')
          ? parseFragment(reference.slice(1))
          : undefined
      if (target !== undefined) this.#refer(ownerOf(target), owner)
      return undefined
    })
  }

  /** `GET /clients` or `GET /clients and 3 more operations`; undefined where no operation uses the place. */
  of(segments: readonly string[]): string | undefined {
    const owners = new Set([ownerOf(segments)])
    for (const owner of owners) for (const other of this.#referring.get(owner) ?? []) owners.add(other)
    const [first, ...others] = [...owners].flatMap((home) => this.#operations.get(home) ?? []).sort()
    if (first === undefined || others.length === 0) return first
    return `${first} and ${others.length} more ${others.length === 1 ? 'operation' : 'operations'}`
  }

  #refer(to: string, from: string): void {
    const known = this.#referring.get(to)
    if (known === undefined) this.#referring.set(to, new Set([from]))
    else known.add(from)
  }
}

/** The component, operation or path that contains a position. */
function ownerOf(segments: readonly string[]): string {
  const [section, , third = ''] = segments
  if (section === 'components') return formatPointer(segments.slice(0, 3))
  const isOperation = third === 'additionalOperations' || operationFields.has(third)
  const length = third === 'additionalOperations' ? 4 : isOperation ? 3 : 2
  return formatPointer(segments.slice(0, length))
}

const operationFields: ReadonlySet<string> = new Set(
  Object.entries(shapes.pathItem.fields).flatMap(([key, field]) =>
    'one' in field && field.one === 'operation' ? [key] : [],
  ),
)
