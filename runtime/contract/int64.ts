import { integerOf } from '../values/decimal.js'
import { isJsonObject, type JsonObject, setMember } from '../values/object.js'
import { responseOf } from './catalogue.js'
import { inexactPlaces } from './exact-numbers.js'
import type { Int64Graph, Int64Positions, Operation } from './operation.js'
import type { Json } from './parsed-json.js'
import { pointerTo } from './pointer.js'
import { elementNode, mapPositions, memberNodes, SharedMembers } from './positions.js'

/*
 * An int64 has two forms. Exact: a number, or a bigint if a double does not hold it; validators and writers
 * use it. Native: a bigint or a decimal string, as the config file says; handlers and clients use it.
 */

/** Turns an exact value into the native form. Copies only what changes. */
export function nativeInt64(
  value: unknown,
  as: Int64Positions['as'],
  graph: Int64Graph | undefined,
): unknown {
  if (graph === undefined) return value
  const native = as === 'bigint' ? (integer: bigint) => integer : String
  return mapPositions(value, graph, (found, { int64 }) => {
    if (int64 !== true || !(typeof found === 'bigint' || Number.isInteger(found))) return found
    return native(BigInt(found as bigint | number))
  })
}

/**
 * Turns a program's value into the exact form: a bigint, a decimal string if strings represent integers, or a
 * number.
 */
export function exactInt64(value: unknown, as: Int64Positions['as'], graph: Int64Graph | undefined): unknown {
  if (graph === undefined) return value
  return mapPositions(value, graph, (found, { int64 }) => {
    if (int64 !== true || Number.isSafeInteger(found)) return found
    const isDigits = as === 'string' && typeof found === 'string' && DECIMAL.test(found)
    const isInteger = isDigits || typeof found === 'bigint' || Number.isInteger(found)
    return isInteger ? exactInteger(BigInt(found as string | bigint | number)) : found
  })
}

/**
 * JSON pointer of an int64 beyond the safe range: it may be another integer, rounded. Undefined if there is
 * none. Looks only at members that the graph names: most of a large response has none.
 */
export function unsafeInt64(value: unknown, graph: Int64Graph | undefined): string | undefined {
  const path = graph && pathToUnsafe(value, graph, 0, new SharedMembers())
  return path?.reduce((pointer, key) => pointerTo(pointer, key), '')
}

function pathToUnsafe(
  value: unknown,
  graph: Int64Graph,
  index: number,
  shared: SharedMembers,
): readonly string[] | undefined {
  const node = graph[index] ?? {}
  if (typeof value === 'number') {
    const isUnsafe = value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
    return isUnsafe && node.int64 === true ? [] : undefined
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const next = elementNode(node, at)
      const path = next === undefined ? undefined : pathToUnsafe(value[at], graph, next, shared)
      if (path !== undefined) return [String(at), ...path]
    }
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const { patterns, properties, values } = node
  const isClosed = patterns === undefined && values === undefined
  let path: readonly string[] | undefined
  for (const name in isClosed ? (properties ?? {}) : value) {
    const found = value[name]
    if (typeof found !== 'number' && typeof found !== 'object') continue
    if (isClosed) path = pathToUnsafe(found, graph, properties?.[name] ?? 0, shared)
    else
      shared.make(found, memberNodes(node, name), (member, next) => {
        path ??= pathToUnsafe(member, graph, next, shared)
        return member
      })
    if (path !== undefined) return [name, ...path]
  }
  return undefined
}

/** A number if its JSON text has the integer's digits, else a bigint. */
function exactInteger(value: bigint): number | bigint {
  const double = Number(value)
  return String(double) === String(value) ? double : value
}

/** A position in a graph: the names and indices that lead to it from the graph's root. */
export interface Int64Place {
  readonly graph: Int64Graph
  readonly path: readonly string[]
}

/**
 * Finds the graph position of a number in JSON text, by the keys that lead to the number in the parsed value.
 */
export type Int64PlaceOf = (keys: readonly string[], value: unknown) => Int64Place | undefined

/**
 * Makes JSON exact, in place: each integer at a graph position becomes a bigint if a double does not hold it.
 * Other numbers that no double holds stay in `inexact`.
 */
export function withExactInt64(json: Json, placeOf: Int64PlaceOf): Json {
  const { text } = json
  if (text === undefined) return json
  let { value } = json
  const left = new Set<number>()
  const known = new Map<unknown, ReadonlySet<number>>()
  let at = 0
  for (const { token, keys } of inexactPlaces(text)) {
    const place = placeOf(keys, value)
    const integer = place === undefined ? undefined : integerOf(token)
    if (place !== undefined && integer !== undefined && isPosition(place, value, keys, known))
      value = replacedAt(value, keys, integer)
    else left.add(at)
    at++
  }
  return { value, inexact: left.size === 0 ? [] : pointersOf(text, left) }
}

/** Treats every position as an int64. */
export const anywhere: Int64PlaceOf = (path) => ({ graph: ANYWHERE, path })

const ANYWHERE: Int64Graph = [{ int64: true, items: 0, values: 0 }]

/** {@link withExactInt64} for trusted text: no limits apply. */
export function exactJson(text: string, placeOf: Int64PlaceOf): Json {
  const json = { value: JSON.parse(text), inexact: [] }
  return MAY_BE_LONG.test(text) ? withExactInt64({ ...json, text }, placeOf) : json
}

/** An integer beyond the exact range of a double has at least this many characters. */
const MAY_BE_LONG = /[\d.]{16}/

/** The int64 positions of the operation's error body for a status. */
export function failureInt64({ failures, int64 }: Operation, status: number): Int64Graph | undefined {
  const response = responseOf((key) => Object.hasOwn(failures ?? {}, key), status)
  return response === undefined ? undefined : int64?.failures?.[response]
}

/** A 64-bit integer as programs write it in decimal. */
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})$/

function* pointersOf(text: string, wanted: ReadonlySet<number>): Generator<string> {
  let at = 0
  for (const place of inexactPlaces(text)) if (wanted.has(at++)) yield place.pointer
}

/**
 * Whether the keys lead to an int64 position of the graph.
 *
 * @param known graph nodes of the arrays and objects already visited: a long name may precede many numbers
 */
function isPosition(
  { graph, path }: Int64Place,
  value: unknown,
  keys: readonly string[],
  known: Map<unknown, ReadonlySet<number>>,
): boolean {
  const holders: unknown[] = [value]
  for (const key of keys) holders.push(memberOf(holders.at(-1), key))
  let nodes: ReadonlySet<number> = new Set([0])
  for (const [level, key] of path.entries()) {
    const at = level + keys.length - path.length
    const found = holders[at + 1]
    nodes = known.get(found) ?? nextNodes(graph, nodes, key, Array.isArray(holders[at]))
    if (typeof found === 'object') known.set(found, nodes)
  }
  return [...nodes].some((index) => graph[index]?.int64 === true)
}

function nextNodes(
  graph: Int64Graph,
  nodes: ReadonlySet<number>,
  key: string,
  isItem: boolean,
): ReadonlySet<number> {
  const next = new Set<number>()
  for (const index of nodes) {
    const node = graph[index] ?? {}
    const found = isItem ? [elementNode(node, Number(key))] : memberNodes(node, key)
    for (const one of found) if (one !== undefined) next.add(one)
  }
  return next
}

function replacedAt(root: unknown, keys: readonly string[], integer: bigint): unknown {
  const last = keys.at(-1)
  if (last === undefined) return integer
  const holder = keys.slice(0, -1).reduce(memberOf, root)
  if (isJsonObject(holder)) setMember(holder, last, integer)
  else if (Array.isArray(holder)) holder[Number(last)] = integer
  return root
}

function memberOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as JsonObject)[key] : undefined
}
