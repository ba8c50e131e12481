import type { DatetimeGraph, DatetimeNode } from '@duet/runtime'
import { isObject, own } from '../load/json.js'
import { compareText } from './cursor.js'
import type { Schema } from './model.js'
import { referenceOf, schemaList, schemaMap, subschemas } from './schema.js'

/** Finds the datetimes that `__tz` converts (`x-timezone: true`) in the schemas of one document. */
export interface DatetimeFinder {
  /** The positions in a schema's instances; undefined where there are none. */
  readonly find: (schema: Schema) => DatetimeGraph | undefined
}

export function datetimeFinder(schemas: ReadonlyMap<string, Schema>): DatetimeFinder {
  const reaching = reachingComponents(schemas)
  const ids = new Map<Schema, number>()
  const idOf = (schema: Schema): number => {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return id
  }
  return {
    find: (schema) => {
      if (!mentions(schema, reaching)) return undefined
      const graph = new GraphBuilder(schemas, idOf).build(schema)
      return graph.length === 0 ? undefined : graph
    },
  }
}

/** One node under construction: the schemas that apply at one place, taken together. */
interface Place {
  readonly datetime: boolean
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
  ) {}

  build(schema: Schema): DatetimeGraph {
    this.visit([schema])
    return pruned(this.places)
  }

  private visit(group: readonly Schema[]): number {
    const parts: Schema[] = []
    for (const schema of group) this.collect(schema, parts)
    const key = [...new Set(parts.map(this.idOf))].sort((a, b) => a - b).join(' ')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const objects = parts.filter(isObject)
    const place: Place = {
      datetime: objects.some((part) => part['x-timezone'] === true),
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

/** The nodes that lead to a datetime, equal ones as one, numbered from the root in the order of a walk. */
function pruned(places: readonly Place[]): DatetimeGraph {
  const alive = leading(places)
  if (!alive.has(0)) return []
  const classes = equalPlaces(places, alive)
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
  const nodes: DatetimeNode[] = []
  for (let at = 0; at < order.length; at++) nodes.push(node(places[order[at] ?? 0], alive, number))
  return nodes
}

/** Indices of the places from which a datetime can be reached. */
function leading(places: readonly Place[]): ReadonlySet<number> {
  const alive = new Set<number>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [index, place] of places.entries()) {
      if (alive.has(index)) continue
      const next = [...place.properties.values(), place.items, place.values]
      if (!place.datetime && !next.some((at) => at !== undefined && alive.has(at))) continue
      alive.add(index)
      grown = true
    }
  }
  return alive
}

/** A class for each place, the same for places that no value tells apart (partition refinement). */
function equalPlaces(places: readonly Place[], alive: ReadonlySet<number>): readonly number[] {
  let classes = places.map(() => 0)
  for (let count = 1; ; ) {
    const signatures = new Map<string, number>()
    const classOf = (index: number): number => classes[index] ?? 0
    const refined = places.map((place, index) => {
      const signature = JSON.stringify([classOf(index), node(place, alive, classOf)])
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
): DatetimeNode {
  if (place === undefined) return {}
  const values = place.values !== undefined && alive.has(place.values) ? place.values : undefined
  const listed = [...place.properties].filter(([, index]) => values !== undefined || alive.has(index))
  const items = place.items !== undefined && alive.has(place.items) ? place.items : undefined
  return {
    ...(place.datetime && { datetime: true as const }),
    ...(listed.length > 0 && {
      properties: Object.fromEntries(listed.map(([name, index]) => [name, number(index)])),
    }),
    ...(items !== undefined && { items: number(items) }),
    ...(values !== undefined && { values: number(values) }),
  }
}

/** Names of the component schemas that contain or lead to an `x-timezone`. */
function reachingComponents(schemas: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  const reaching = new Set<string>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [name, schema] of schemas) {
      if (reaching.has(name) || !mentions(schema, reaching)) continue
      reaching.add(name)
      grown = true
    }
  }
  return reaching
}

function mentions(schema: Schema, reaching: ReadonlySet<string>): boolean {
  if (!isObject(schema)) return false
  if (schema['x-timezone'] === true) return true
  const name = referenceOf(schema)
  if (name !== undefined && reaching.has(name)) return true
  return subschemas(schema).some((part) => mentions(part.schema, reaching))
}
