import { type TextCheck, textCheck } from '../patterns/linear-pattern.js'
import { isJsonObject, type JsonObject, setMember } from '../values/object.js'
import type { PositionNode } from './operation.js'

/** Replaces the values at a graph's positions, except arrays and plain objects. Copies only what changes. */
export function mapPositions<Node extends PositionNode>(
  value: unknown,
  graph: readonly Node[],
  convert: (found: unknown, node: Node) => unknown,
  index = 0,
  shared = new SharedMembers(),
): unknown {
  const node = graph[index]
  if (node === undefined) return value
  const below = (found: unknown, next: number) => mapPositions(found, graph, convert, next, shared)
  if (Array.isArray(value)) {
    return mapItems(value, (item, at) => {
      const next = elementNode(node, at)
      return next === undefined ? item : below(item, next)
    })
  }
  if (!isJsonObject(value) || value instanceof Blob || value instanceof Uint8Array)
    return convert(value, node)
  let copy: JsonObject | undefined
  for (const key of Object.keys(value)) {
    const converted = shared.make(value[key], memberNodes(node, key), below)
    if (converted === value[key]) continue
    copy ??= { ...value }
    setMember(copy, key, converted)
  }
  return copy ?? value
}

/** Node of an array's element. */
export function elementNode({ prefix, items }: PositionNode, index: number): number | undefined {
  return prefix !== undefined && index < prefix.length ? prefix[index] : items
}

/** Nodes of an object's member: its named node, else those of all matching patterns, else the map's. */
export function memberNodes(node: PositionNode, key: string): readonly number[] {
  const { properties, values } = node
  const named = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (named !== undefined) return [named]
  const matching = expressionsOf(node).flatMap(([expression, index]) => (expression.test(key) ? [index] : []))
  if (matching.length > 0) return matching
  return values === undefined ? [] : [values]
}

/**
 * Applies several nodes to one member in turn. In a recursive graph every path would double the visits per
 * level, so this visits each pair of node and value once.
 */
export class SharedMembers {
  readonly #made = new Map<number, Map<unknown, unknown>>()

  make(value: unknown, nodes: readonly number[], visit: (value: unknown, node: number) => unknown): unknown {
    const [only, second] = nodes
    if (only === undefined) return value
    if (second === undefined) return visit(value, only)
    return nodes.reduce((member, node) => {
      if (typeof member !== 'object' || member === null) return visit(member, node)
      const known = this.#made.get(node) ?? new Map<unknown, unknown>()
      this.#made.set(node, known)
      if (!known.has(member)) known.set(member, visit(member, node))
      return known.get(member)
    }, value)
  }
}

function mapItems(
  list: readonly unknown[],
  convert: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = convert(list[i], i)
    if (item === list[i]) continue
    copy ??= list.slice()
    copy[i] = item
  }
  return copy ?? list
}

type Expressions = readonly (readonly [expression: TextCheck, node: number])[]

const none: Expressions = []
const compiled = new WeakMap<PositionNode, Expressions>()

function expressionsOf(node: PositionNode): Expressions {
  if (node.patterns === undefined) return none
  const known = compiled.get(node)
  if (known !== undefined) return known
  const checks = new Map(Object.entries(node.checks ?? {}))
  const expressions = Object.entries(node.patterns).map(([pattern, index]) => {
    const data = checks.get(pattern)
    return [data === undefined ? expressionOf(pattern) : textCheck(data), index] as const
  })
  compiled.set(node, expressions)
  return expressions
}

/** Patterns should compile with the u flag, but many documents escape more than it allows. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
