import type { BinaryGraph, DatetimeGraph, Int64Graph, Int64Numbers, Int64Positions } from 'duet-runtime'
import type { JsonObject } from '../../document/document.js'
import { addToGroup } from '../../document/grouping.js'
import { isObject } from '../../document/json.js'
import { type IsMarked, type Mark, type MarkedNode, positionsOf } from '../../schema/instance-positions.js'
import { type Int64, isInt64, isInt64Format } from '../../schema/int64.js'
import { pruned } from '../../schema/position-graph.js'
import { referenceOf, type Schema, subschemas } from '../../schema/schema.js'
import type { Operation } from '../model.js'

/** Finds positions in the instances of the schemas of one document. */
export interface PositionFinder<Graph> {
  /** The positions in a schema's instances. Undefined if there are none. */
  readonly find: (schema: Schema) => Graph | undefined
}

/** Positions of the datetimes that `__tz` converts (`x-timezone: true`). */
export function datetimeFinder(schemas: ReadonlyMap<string, Schema>): PositionFinder<DatetimeGraph> {
  return positionFinder(schemas, 'datetime', (schema) => schema['x-timezone'] === true)
}

/** Positions of files. */
export function binaryFinder(schemas: ReadonlyMap<string, Schema>): PositionFinder<BinaryGraph> {
  return positionFinder(schemas, 'binary', (schema) => schema.$binary === true)
}

/** Positions of int64 integers that are not numbers in TypeScript. */
export function int64Finder(schemas: ReadonlyMap<string, Schema>): PositionFinder<Int64Graph> {
  return positionFinder(schemas, 'int64', isInt64)
}

/** Positions of int64 integers that are numbers in TypeScript. Validators do not check uint64 ones either. */
export function int64NumberFinder(schemas: ReadonlyMap<string, Schema>): PositionFinder<Int64Graph> {
  return positionFinder(schemas, 'int64', (schema) => isInt64Format(schema, ['int64']))
}

/** Finds int64 integers, with their TypeScript type. */
export interface Int64Finder {
  readonly as: Int64
  readonly finder: PositionFinder<Int64Graph>
}

/** The positions of int64 integers in an operation's requests and responses. Undefined if there are none. */
export function int64Of(
  { as, finder: { find } }: Int64Finder,
  { params, result, pieces, headers, failures }: Int64Parts,
): Int64Positions | undefined {
  if (as === 'number') return undefined
  const bodies = failures.flatMap(({ response, schema }) => {
    const graph = schema === undefined ? undefined : find(schema)
    return graph === undefined ? [] : [[response, graph] as const]
  })
  const parts = Object.entries({ params, result, piece: pieces, headers }).flatMap(([name, schema]) => {
    const graph = schema === undefined ? undefined : find(schema)
    return graph === undefined ? [] : [[name, graph] as const]
  })
  if (parts.length === 0 && bodies.length === 0) return undefined
  return {
    as,
    ...Object.fromEntries(parts),
    ...(bodies.length > 0 && { failures: Object.fromEntries(bodies) }),
  }
}

/** The positions in successes of int64 integers that are numbers. Undefined if there are none. */
export function int64NumbersOf(
  { as, finder: { find } }: Int64Finder,
  { result, pieces }: Int64Parts,
): Int64Numbers | undefined {
  if (as !== 'number') return undefined
  const inResult = find(result)
  const inPiece = pieces === undefined ? undefined : find(pieces)
  if (inResult === undefined && inPiece === undefined) return undefined
  return {
    ...(inResult !== undefined && { result: inResult }),
    ...(inPiece !== undefined && { piece: inPiece }),
  }
}

type Int64Parts = Pick<Operation, 'params' | 'result' | 'pieces' | 'headers' | 'failures'>

function positionFinder(
  schemas: ReadonlyMap<string, Schema>,
  mark: Mark,
  isMarked: IsMarked,
): PositionFinder<readonly MarkedNode[]> {
  let reaching: ReadonlySet<string> | undefined
  return {
    find: (schema) => {
      if (!isObject(schema)) return undefined
      const { marked, references } = contentsOf(schema, isMarked)
      reaching ??= reachingComponents(schemas, isMarked)
      if (!marked && ![...references].some((name) => reaching?.has(name))) return undefined
      const graph = pruned(positionsOf(schemas, schema, isMarked), mark)
      return graph.length === 0 ? undefined : graph
    },
  }
}

/** Names of the component schemas with a marked schema, directly or through references. */
function reachingComponents(schemas: ReadonlyMap<string, Schema>, isMarked: IsMarked): ReadonlySet<string> {
  const reaching = new Set<string>()
  const referring = new Map<string, string[]>()
  for (const [name, schema] of schemas) {
    if (!isObject(schema)) continue
    const { marked, references } = contentsOf(schema, isMarked)
    if (marked) reaching.add(name)
    for (const target of references) addToGroup(referring, target, name)
  }
  for (const name of reaching) for (const other of referring.get(name) ?? []) reaching.add(other)
  return reaching
}

interface Contents {
  readonly marked: boolean
  readonly references: ReadonlySet<string>
}

/** The content of a schema without following references. */
function contentsOf(schema: JsonObject, isMarked: IsMarked): Contents {
  let marked = false
  const references = new Set<string>()
  const visit = (part: Schema): void => {
    if (!isObject(part)) return
    marked ||= isMarked(part)
    const name = referenceOf(part)
    if (name !== undefined) references.add(name)
    for (const { schema } of subschemas(part)) visit(schema)
  }
  visit(schema)
  return { marked, references }
}
