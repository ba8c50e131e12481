import type { BinaryGraph, DatetimeGraph, PositionNode } from '@duet/runtime'
import type { JsonObject } from '../load/document.js'
import { isObject, own } from '../load/json.js'
import { compareText } from './cursor.js'
import type { Schema } from './model.js'
import { referenceOf, schemaList, schemaMap, subschemas } from './schema.js'

/** Finds positions in the instances of the schemas of one document. */
export interface PositionFinder<Graph> {
  /** The positions in a schema's instances; undefined where there are none. */
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

type Mark = 'datetime' | 'binary'
type IsMarked = (schema: JsonObject) => boolean
type MarkedNode = PositionNode & { readonly [M in Mark]?: true }

function positionFinder(
  schemas: ReadonlyMap<string, Schema>,
  mark: Mark,
  isMarked: IsMarked,
): PositionFinder<readonly MarkedNode[]> {
  const reaching = reachingComponents(schemas, isMarked)
  const ids = new Map<Schema, number>()
  const idOf = (schema: Schema): number => {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return id
  }
  return {
    find: (schema) => {
      if (!mentions(schema, reaching, isMarked)) return undefined
      const graph = new GraphBuilder(schemas, idOf, mark, isMarked).build(schema)
      return graph.length === 0 ? undefined : graph
    },
  }
}

/** One node under construction: the schemas that apply at one place, taken together. */
interface Place {
  readonly marked: boolean
  readonly properties: Map<string, number>
  items?: number
  values?: number
}

class GraphBuilder {
  private readonly places: Place[] = []
  private readonly known = new Map<string, number>()

  constructor(
    private readonly schemas: ReadonlyMap<string, Schema>,
    private readonly idOf: (schema: Schema) => number,
    private readonly mark: Mark,
    private readonly isMarked: IsMarked,
  ) {}

  build(schema: Schema): readonly MarkedNode[] {
    this.visit([schema])
    return pruned(this.places, this.mark)
  }

  private visit(group: readonly Schema[]): number {
    const parts: Schema[] = []
    for (const schema of group) this.collect(schema, parts)
    const key = [...new Set(parts.map(this.idOf))].sort((a, b) => a - b).join(' ')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const objects = parts.filter(isObject)
    const place: Place = {
      marked: objects.some(this.isMarked),
      properties: new Map(),
    }
    const index = this.places.push(place) - 1
    this.known.set(key, index)
    const properties = new Map<string, Schema[]>()
    for (const part of objects) {
      for (const [name, property] of schemaMap(part, 'properties')) {
        properties.set(name, [...(properties.get(name) ?? []), property])
      }
    }
    for (const [name, property] of [...properties].sort(([a], [b]) => compareText(a, b))) {
      place.properties.set(name, this.visit(property))
    }
    const items = objects.map((part) => own(part, 'items')).filter(isObject)
    if (items.length > 0) place.items = this.visit(items)
    const values = objects.flatMap((part) => [
      own(part, 'additionalProperties'),
      ...schemaMap(part, 'patternProperties').map(([, value]) => value),
    ])
    const described = values.filter(isObject)
    if (described.length > 0) place.values = this.visit(described)
    return index
  }

  /** The schemas at the same place: through references and compositions. */
  private collect(schema: Schema, parts: Schema[]): void {
    if (!isObject(schema) || parts.includes(schema)) return
    parts.push(schema)
    const name = referenceOf(schema)
    const target = name === undefined ? undefined : this.schemas.get(name)
    if (target !== undefined) this.collect(target, parts)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      for (const part of schemaList(schema, keyword)) this.collect(part, parts)
    }
    for (const keyword of ['then', 'else']) {
      const part = own(schema, keyword)
      if (isObject(part)) this.collect(part, parts)
    }
  }
}

/** The nodes that lead to what is sought, equal ones as one, numbered from the root in the order of a walk. */
function pruned(places: readonly Place[], mark: Mark): readonly MarkedNode[] {
  const alive = leading(places)
  if (!alive.has(0)) return []
  const classes = equalPlaces(places, alive, mark)
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
  for (let at = 0; at < order.length; at++) nodes.push(node(places[order[at] ?? 0], alive, number, mark))
  return nodes
}

/** Indices of the places from which a marked one can be reached. */
function leading(places: readonly Place[]): ReadonlySet<number> {
  const alive = new Set<number>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [index, place] of places.entries()) {
      if (alive.has(index)) continue
      const next = [...place.properties.values(), place.items, place.values]
      if (!place.marked && !next.some((at) => at !== undefined && alive.has(at))) continue
      alive.add(index)
      grown = true
    }
  }
  return alive
}

/** A class for each place, the same for places that no value tells apart (partition refinement). */
function equalPlaces(places: readonly Place[], alive: ReadonlySet<number>, mark: Mark): readonly number[] {
  let classes = places.map(() => 0)
  for (let count = 1; ; ) {
    const signatures = new Map<string, number>()
    const classOf = (index: number): number => classes[index] ?? 0
    const refined = places.map((place, index) => {
      const signature = JSON.stringify([classOf(index), node(place, alive, classOf, mark)])
      const known = signatures.get(signature) ?? signatures.size
      signatures.set(signature, known)
      return known
    })
    classes = refined
    if (signatures.size === count) return classes
    count = signatures.size
  }
}

/** Beside a map's values every declared property is listed, since the map's node is not for those. */
function node(
  place: Place | undefined,
  alive: ReadonlySet<number>,
  number: (index: number) => number,
  mark: Mark,
): MarkedNode {
  if (place === undefined) return {}
  const values = place.values !== undefined && alive.has(place.values) ? place.values : undefined
  const listed = [...place.properties].filter(([, index]) => values !== undefined || alive.has(index))
  const items = place.items !== undefined && alive.has(place.items) ? place.items : undefined
  return {
    ...(place.marked && { [mark]: true as const }),
    ...(listed.length > 0 && {
      properties: Object.fromEntries(listed.map(([name, index]) => [name, number(index)])),
    }),
    ...(items !== undefined && { items: number(items) }),
    ...(values !== undefined && { values: number(values) }),
  }
}

/** Names of the component schemas that contain or lead to a marked one. */
function reachingComponents(schemas: ReadonlyMap<string, Schema>, isMarked: IsMarked): ReadonlySet<string> {
  const reaching = new Set<string>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [name, schema] of schemas) {
      if (reaching.has(name) || !mentions(schema, reaching, isMarked)) continue
      reaching.add(name)
      grown = true
    }
  }
  return reaching
}

function mentions(schema: Schema, reaching: ReadonlySet<string>, isMarked: IsMarked): boolean {
  if (!isObject(schema)) return false
  if (isMarked(schema)) return true
  const name = referenceOf(schema)
  if (name !== undefined && reaching.has(name)) return true
  return subschemas(schema).some((part) => mentions(part.schema, reaching, isMarked))
}
