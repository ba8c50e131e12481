import { isJsonObject, type JsonObject, setMember } from '../../values/object.js'
import type { DatetimeGraph, DatetimeNode } from '../operation.js'
import { pointerTo } from '../pointer.js'
import { elementNode, memberNodes, SharedMembers } from '../positions.js'

/**
 * Converts every datetime of a value. Copies only what changes: a value without a datetime is returned as it
 * is. If `convert` returns undefined, the text stays, and `left` receives it with its JSON pointer.
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
  readonly #shared = new SharedMembers()

  constructor(
    readonly graph: DatetimeGraph,
    readonly convert: (text: string) => string | undefined,
    readonly left: (path: string, text: string) => void,
  ) {}

  visit(value: unknown, index: number): unknown {
    const node = this.graph[index]
    if (node === undefined) return value
    if (typeof value === 'string') return node.datetime === true ? this.#datetime(value) : value
    if (Array.isArray(value)) return this.#array(value, node)
    return isJsonObject(value) ? this.#object(value, node) : value
  }

  #datetime(text: string): string {
    const converted = this.convert(text)
    if (converted !== undefined) return converted
    const path = this.#trail.reduce<string>((parent, key) => pointerTo(parent, String(key)), '')
    this.left(path, text)
    return text
  }

  #array(value: readonly unknown[], node: DatetimeNode): readonly unknown[] {
    const length = node.items === undefined ? (node.prefix?.length ?? 0) : value.length
    let copy: unknown[] | undefined
    for (let i = 0; i < Math.min(length, value.length); i++) {
      const index = elementNode(node, i)
      const item = index === undefined ? value[i] : this.#child(value[i], i, index)
      if (item === value[i]) continue
      copy ??= value.slice()
      copy[i] = item
    }
    return copy ?? value
  }

  #object(value: JsonObject, node: DatetimeNode): JsonObject {
    let copy: JsonObject | undefined
    const { properties, patterns, values } = node
    const isOpen = values !== undefined || patterns !== undefined
    for (const key of Object.keys(isOpen ? value : (properties ?? NONE))) {
      if (!Object.hasOwn(value, key)) continue
      const converted = this.#shared.make(value[key], memberNodes(node, key), (member, index) =>
        this.#child(member, key, index),
      )
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
