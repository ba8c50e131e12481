import { integerOf } from '../values/decimal.js'
import { isJsonObject, type JsonObject, setMember } from '../values/object.js'
import { responseOf } from './catalogue.js'
import { inexactPlaces } from './exact-numbers.js'
import type { Int64Graph, Int64Positions, Operation } from './operation.js'
import type { Json } from './parsed-json.js'
import { elementNode, mapPositions, memberNodes } from './positions.js'

/*
 * An int64 has two forms. Exact: a number, or a bigint if JSON text of the number has other digits; so it is validated and
 * written. Native: a bigint or a decimal string, as the config file says; so handlers and clients have it.
 */

/** The programs' form of an exact value. Copies what it changes. */
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

/** The exact form of what a program gives: a bigint, a decimal string if strings stand for integers, or a number. */
export function exactInt64(value: unknown, as: Int64Positions['as'], graph: Int64Graph | undefined): unknown {
  if (graph === undefined) return value
  return mapPositions(value, graph, (found, { int64 }) => {
    if (int64 !== true || Number.isSafeInteger(found)) return found
    const isDigits = as === 'string' && typeof found === 'string' && DECIMAL.test(found)
    const isInteger = isDigits || typeof found === 'bigint' || Number.isInteger(found)
    return isInteger ? exactInteger(BigInt(found as string | bigint | number)) : found
  })
}

/** A number if JSON text of it has the digits of the integer, else a bigint. */
function exactInteger(value: bigint): number | bigint {
  const double = Number(value)
  return String(double) === String(value) ? double : value
}

/** A place in a graph of positions: the names and indices that lead there from its root. */
export interface Int64Place {
  readonly graph: Int64Graph
  readonly path: readonly string[]
}

/** Finds the place in a graph of a number in JSON text, by the keys that lead to the number in the value read. */
export type Int64PlaceOf = (keys: readonly string[], value: unknown) => Int64Place | undefined

/**
 * JSON in its exact form: each integer at a position of a graph that a double does not hold becomes a bigint, in place. The
 * other numbers that no double holds are left in `inexact`.
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

/** Every place, whatever the schema says. */
export const anywhere: Int64PlaceOf = (path) => ({ graph: ANYWHERE, path })

const ANYWHERE: Int64Graph = [{ int64: true, items: 0, values: 0 }]

/** {@link withExactInt64} of text that this side trusts to be no attack. */
export function exactJson(text: string, placeOf: Int64PlaceOf): Json {
  const json = { value: JSON.parse(text), inexact: [] }
  return MAY_BE_LONG.test(text) ? withExactInt64({ ...json, text }, placeOf) : json
}

/** An integer that no double holds is at least so long as a token. */
const MAY_BE_LONG = /[\d.]{16}/

/** Positions of the error body that an operation has for a status. */
export function failureInt64({ failures, int64 }: Operation, status: number): Int64Graph | undefined {
  const response = responseOf((key) => Object.hasOwn(failures ?? {}, key), status)
  return response === undefined ? undefined : int64?.failures?.[response]
}

/** Digits as a program writes an integer of 64 bits. */
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})$/

function* pointersOf(text: string, wanted: ReadonlySet<number>): Generator<string> {
  let at = 0
  for (const place of inexactPlaces(text)) if (wanted.has(at++)) yield place.pointer
}

/**
 * Whether an int64 may stand at a place, which is where keys lead to in a value. Both have the same end.
 *
 * @param known nodes of the arrays and objects that have been asked for: a long name may stand before many numbers
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
