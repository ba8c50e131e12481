import { isJsonObject, type JsonObject, setMember } from './object.js'
import type { DatetimeGraph, DatetimeNode } from './operation.js'
import { pointerTo } from './violations.js'

/**
 * Converts every datetime of a value. Copies what it changes and nothing else: a value without a datetime
 * comes back as it is. `convert` answers undefined for a text that it leaves alone; `left` is then told
 * the text and its JSON pointer.
 */
export function mapDatetimes(
  value: unknown,
  graph: DatetimeGraph,
  convert: (text: string) => string | undefined,
  left: (path: string, text: string) => void = ignore,
): unknown {
  return new DatetimeWalk(graph, convert, left).visit(value, 0)
}

function ignore(): void {}

class DatetimeWalk {
  /** Keys from the root to the value being visited. */
  readonly #trail: (string | number)[] = []

  constructor(
    readonly graph: DatetimeGraph,
    readonly convert: (text: string) => string | undefined,
    readonly left: (path: string, text: string) => void,
  ) {}

  visit(value: unknown, index: number): unknown {
    const node = this.graph[index]
    if (node === undefined) return value
    if (typeof value === 'string') return node.datetime === true ? this.#datetime(value) : value
    if (Array.isArray(value)) return node.items === undefined ? value : this.#array(value, node.items)
    return isJsonObject(value) ? this.#object(value, node) : value
  }

  #datetime(text: string): string {
    const converted = this.convert(text)
    if (converted !== undefined) return converted
    const path = this.#trail.reduce<string>((parent, key) => pointerTo(parent, String(key)), '')
    this.left(path, text)
    return text
  }

  #array(value: readonly unknown[], items: number): readonly unknown[] {
    let copy: unknown[] | undefined
    for (let i = 0; i < value.length; i++) {
      const item = this.#child(value[i], i, items)
      if (item === value[i]) continue
      copy ??= value.slice()
      copy[i] = item
    }
    return copy ?? value
  }

  #object(value: JsonObject, node: DatetimeNode): JsonObject {
    let copy: JsonObject | undefined
    const { properties, values } = node
    const keys = values === undefined ? Object.keys(properties ?? NONE) : Object.keys(value)
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue
      const named = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : values
      if (named === undefined) continue
      const converted = this.#child(value[key], key, named)
      if (converted === value[key]) continue
      copy ??= { ...value }
      setMember(copy, key, converted)
    }
    return copy ?? value
  }

  #child(value: unknown, key: string | number, index: number): unknown {
    this.#trail.push(key)
    const converted = this.visit(value, index)
    this.#trail.pop()
    return converted
  }
}

const NONE = {}
