import { groupBy } from '../document/grouping.js'
import type { InstancePosition, Mark, MarkedNode } from './instance-positions.js'

/**
 * The nodes that lead to a marked one, with equal ones merged, numbered from the root in the order of a walk.
 */
export function pruned(positions: readonly InstancePosition[], mark: Mark): readonly MarkedNode[] {
  const alive = leading(positions)
  if (!alive.has(0)) return []
  const classes = equalPositions(positions, alive)
  const numbers = new Map<number, number>()
  const order: number[] = []
  const number = (index: number): number => {
    const known = numbers.get(classes[index] ?? 0)
    if (known !== undefined) return known
    order.push(index)
    numbers.set(classes[index] ?? 0, order.length - 1)
    return order.length - 1
  }
  number(0)
  const nodes: MarkedNode[] = []
  for (let at = 0; at < order.length; at++) nodes.push(node(positions[order[at] ?? 0], alive, number, mark))
  return nodes
}

/** Indices of the positions from which a marked one can be reached. */
function leading(positions: readonly InstancePosition[]): ReadonlySet<number> {
  const before = predecessors(positions.map(nextOf))
  const alive = new Set(positions.flatMap((position, index) => (position.marked ? [index] : [])))
  for (const index of alive) for (const other of before[index] ?? []) alive.add(other)
  return alive
}

/**
 * A class for each position, equal for positions that no value distinguishes (partition refinement). Only positions
 * that lead to a new class are visited again, so the cost of a chain of schemas grows only with its length.
 */
function equalPositions(
  positions: readonly InstancePosition[],
  alive: ReadonlySet<number>,
): readonly number[] {
  const next = positions.map((position) => edgesOf(position, alive))
  const before = predecessors(next.map((edges) => edges.map(([, index]) => index)))
  const classes = positions.map(() => 0)
  const members = new Map([[0, new Set(positions.keys())]])
  const signature = (index: number): string =>
    JSON.stringify([
      positions[index]?.marked,
      next[index]?.map(([label, target]) => [label, alive.has(target) ? classes[target] : null]),
    ])
  let changed: ReadonlySet<number> = new Set(positions.keys())
  while (changed.size > 0) {
    const moves: { readonly to: number; readonly indices: readonly number[] }[] = []
    for (const [name, indices] of groupBy(changed, (index) => classes[index] ?? 0)) {
      const all = members.get(name) ?? new Set()
      const parts = groupBy(indices, signature)
      const staying = unchangedOf(all, changed)
      parts.delete(staying === undefined ? largest(parts) : signature(staying))
      for (const part of parts.values()) {
        moves.push({ to: members.size, indices: part })
        members.set(members.size, new Set(part))
        for (const index of part) all.delete(index)
      }
    }
    for (const { to, indices } of moves) for (const index of indices) classes[index] = to
    changed = new Set(moves.flatMap(({ indices }) => indices).flatMap((index) => before[index] ?? []))
  }
  return classes
}

function unchangedOf(all: ReadonlySet<number>, changed: ReadonlySet<number>): number | undefined {
  for (const index of all) if (!changed.has(index)) return index
  return undefined
}

function largest(parts: ReadonlyMap<string, readonly number[]>): string {
  return [...parts].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', []] as const)[0]
}

/** The positions of an instance's members and items. */
export function nextOf({ properties, patterns, prefix, items, values }: InstancePosition): number[] {
  return [...properties.values(), ...patterns.values(), ...prefix, items, values].filter(
    (index) => index !== undefined,
  )
}

function predecessors(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const before = next.map((): number[] => [])
  for (const [index, targets] of next.entries())
    for (const target of new Set(targets)) before[target]?.push(index)
  return before
}

/** The members and elements of a position. */
interface Listed {
  /** With patterns or a map's values, every declared property: their nodes do not apply to it. */
  readonly properties: readonly (readonly [name: string, index: number])[]
  readonly patterns: readonly (readonly [pattern: string, index: number])[]
  readonly prefix: readonly number[]
  readonly items: number | undefined
  readonly values: number | undefined
}

function listedOf(position: InstancePosition, alive: ReadonlySet<number>): Listed {
  const living = (index: number | undefined) => (index !== undefined && alive.has(index) ? index : undefined)
  const [items, values] = [living(position.items), living(position.values)]
  const isMap = values !== undefined
  const hasPattern = [...position.patterns.values()].some((index) => alive.has(index))
  const last = position.prefix.findLastIndex((index) => alive.has(index))
  return {
    properties: [...position.properties].filter(([, index]) => isMap || hasPattern || alive.has(index)),
    patterns: [...position.patterns].filter(([, index]) => isMap || alive.has(index)),
    prefix: items === undefined ? position.prefix.slice(0, last + 1) : position.prefix,
    items,
    values,
  }
}

function edgesOf(position: InstancePosition, alive: ReadonlySet<number>): [string, number][] {
  const { properties, patterns, prefix, items, values } = listedOf(position, alive)
  return [
    ...properties.map(([name, index]): [string, number] => [`.${name}`, index]),
    ...patterns.map(([pattern, index]): [string, number] => [`/${pattern}`, index]),
    ...prefix.map((index, at): [string, number] => [`#${at}`, index]),
    ...(items === undefined ? [] : [['items', items] satisfies [string, number]]),
    ...(values === undefined ? [] : [['values', values] satisfies [string, number]]),
  ]
}

function node(
  position: InstancePosition | undefined,
  alive: ReadonlySet<number>,
  number: (index: number) => number,
  mark: Mark,
): MarkedNode {
  if (position === undefined) return {}
  const { properties, patterns, prefix, items, values } = listedOf(position, alive)
  const numbered = (listed: Listed['properties']) =>
    Object.fromEntries(listed.map(([name, index]) => [name, number(index)]))
  return {
    ...(position.marked && { [mark]: true as const }),
    ...(properties.length > 0 && { properties: numbered(properties) }),
    ...(patterns.length > 0 && { patterns: numbered(patterns) }),
    ...(prefix.length > 0 && { prefix: prefix.map(number) }),
    ...(items !== undefined && { items: number(items) }),
    ...(values !== undefined && { values: number(values) }),
  }
}
