import { compareText } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { referenceOf } from '../../schema/schema.js'
import type { Whole } from './whole-schema.js'

/** What is known about a schema and everything inside it. */
interface Known {
  /** The same number for all identical schemas. */
  readonly id: number
  /** The components that it refers to. */
  readonly names: readonly string[]
}

/** Finds what two wholes share. Reads each schema once. */
export class Shared {
  readonly #ids = new Map<string, number>()
  readonly #known = new WeakMap<object, Known>()

  /** The names of components that are identical in both, with everything they lead to. */
  between(one: Whole, other: Whole): ReadonlySet<string> {
    const same = new Set<string>()
    for (const [name, schema] of one.components) {
      const twin = other.components.get(name)
      if (twin !== undefined && this.#of(schema).id === this.#of(twin).id) same.add(name)
    }
    for (let size = -1; size !== same.size; ) {
      size = same.size
      for (const name of same)
        if (!this.#of(one.components.get(name) ?? true).names.every((target) => same.has(target)))
          same.delete(name)
    }
    return same
  }

  /** Whether two wholes that share some components are identical. */
  areOne(one: Whole, other: Whole, same: ReadonlySet<string>): boolean {
    const { id, names } = this.#of(one.schema)
    return id === this.#of(other.schema).id && names.every((name) => same.has(name))
  }

  #of(value: Json): Known {
    if (typeof value !== 'object' || value === null) return { id: this.#id(JSON.stringify(value)), names: [] }
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const isList = Array.isArray(value)
    const members = Object.entries(value)
    if (!isList) members.sort(([a], [b]) => compareText(a, b))
    const names = new Set<string>()
    const parts = members.map(([key, member]) => {
      const part = this.#of(member)
      for (const name of part.names) names.add(name)
      return isList ? String(part.id) : `${JSON.stringify(key)}:${part.id}`
    })
    const target = isObject(value) ? referenceOf(value) : undefined
    if (target !== undefined) names.add(target)
    const id = this.#id(isList ? `[${parts.join()}]` : `{${parts.join()}}`)
    const found = { id, names: [...names] }
    this.#known.set(value, found)
    return found
  }

  #id(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size
    this.#ids.set(text, id)
    return id
  }
}
