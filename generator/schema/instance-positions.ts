import type { PositionNode } from 'duet-runtime'
import { compareText } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { addToGroup } from '../document/grouping.js'
import { isObject, own } from '../document/json.js'
import {
  compositions,
  groupOf,
  holdingOf,
  itemKeywords,
  memberKeywords,
  otherMembers,
} from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { isSchema, referenceOf, type Schema, schemaList, schemaMap } from './schema.js'

export type Mark = 'datetime' | 'binary' | 'int64' | 'replaced'
export type IsMarked = (schema: JsonObject) => boolean
export type MarkedNode = PositionNode & { readonly [M in Mark]?: true }

/**
 * A position in the instances of a schema: all values to which the same schemas apply. Refers to other positions by
 * index.
 */
export interface InstancePosition {
  readonly marked: boolean
  /** The schemas that apply, and that are marked or describe members or items. */
  readonly parts: readonly JsonObject[]
  readonly properties: ReadonlyMap<string, number>
  /** The position of the members that match each pattern. */
  readonly patterns: ReadonlyMap<string, number>
  /** The positions of a tuple's elements. `items` is the position of the others. */
  readonly prefix: readonly number[]
  readonly items?: number
  readonly values?: number
}

/** The positions in the instances of a schema, its root first. */
export function positionsOf(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  isMarked: IsMarked,
): readonly InstancePosition[] {
  return new PositionWalk(schemas, isMarked).run(schema)
}

type OpenPosition = { -readonly [K in keyof InstancePosition]: InstancePosition[K] }

class PositionWalk {
  private readonly positions: OpenPosition[] = []
  private readonly known = new Map<string, number>()
  private readonly ids = new Map<Schema, number>()
  /** Positions whose members are not visited yet. A list, since a chain of schemas can be of any length. */
  private readonly agenda: { readonly position: OpenPosition; readonly parts: readonly JsonObject[] }[] = []

  constructor(
    private readonly schemas: ReadonlyMap<string, Schema>,
    private readonly isMarked: IsMarked,
  ) {}

  run(schema: Schema): readonly InstancePosition[] {
    this.visit([schema])
    for (let next = this.agenda.pop(); next !== undefined; next = this.agenda.pop()) {
      const { position, parts } = next
      position.properties = this.properties(parts)
      position.patterns = this.patterns(parts)
      position.prefix = this.prefix(parts)
      const items = parts.flatMap((part) => singles(part, ofAnyItem))
      if (items.some(isObject)) position.items = this.visit(items)
      const values = parts.flatMap((part) => singles(part, otherMembers))
      if (values.some(isObject)) position.values = this.visit(values)
    }
    return this.positions
  }

  private visit(group: readonly Schema[]): number {
    const found = new Set<JsonObject>()
    for (const schema of group) this.collect(schema, found)
    const parts = [...found].filter((part) => this.says(part))
    const key = parts
      .map((part) => this.idOf(part))
      .sort((a, b) => a - b)
      .join(' ')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const index = this.positions.length
    this.known.set(key, index)
    const marked = parts.some(this.isMarked)
    const position: OpenPosition = { marked, parts, properties: new Map(), patterns: new Map(), prefix: [] }
    this.positions.push(position)
    this.agenda.push({ position, parts })
    return index
  }

  /** The declared properties, with the patterns that their names match. */
  private properties(parts: readonly JsonObject[]): ReadonlyMap<string, number> {
    const declared = new Map<string, Schema[]>()
    for (const part of parts)
      for (const [name, property] of schemaMap(part, 'properties')) addToGroup(declared, name, property)
    const patterns = parts.flatMap((part) => schemaMap(part, 'patternProperties'))
    for (const [name, group] of declared) {
      for (const [pattern, schema] of patterns) if (patternMatches(pattern, name)) group.push(schema)
    }
    const sorted = [...declared].sort(([a], [b]) => compareText(a, b))
    return new Map(sorted.map(([name, group]) => [name, this.visit(group)]))
  }

  /** The members that match a pattern. Other parts may also describe them, as members without a name. */
  private patterns(parts: readonly JsonObject[]): ReadonlyMap<string, number> {
    const declared = parts.map((part) => new Map(schemaMap(part, 'patternProperties')))
    const names = [...new Set(declared.flatMap((patterns) => [...patterns.keys()]))].sort(compareText)
    return new Map(
      names.map((name) => {
        const group = parts.flatMap((part, index) => {
          const schema = declared[index]?.get(name)
          return schema === undefined ? singles(part, ['additionalProperties']) : [schema]
        })
        return [name, this.visit(group)]
      }),
    )
  }

  /** The elements of a tuple. Each part describes them by index, or as one of the others. */
  private prefix(parts: readonly JsonObject[]): readonly number[] {
    const tuples = parts.map((part) => schemaList(part, 'prefixItems'))
    const length = Math.max(0, ...tuples.map((tuple) => tuple.length))
    return Array.from({ length }, (_, index) =>
      this.visit(
        parts.flatMap((part, at) => {
          const element = tuples[at]?.[index]
          return [
            ...(element === undefined ? singles(part, ['items']) : [element]),
            ...singles(part, ['contains']),
          ]
        }),
      ),
    )
  }

  /** The schemas that apply in place, through references, compositions and conditions. */
  private collect(schema: Schema, found: Set<JsonObject>): void {
    const waiting = [schema]
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (!isObject(part) || found.has(part)) continue
      found.add(part)
      const target = this.schemas.get(referenceOf(part) ?? '')
      if (target !== undefined) waiting.push(target)
      for (const keyword of compositions) waiting.push(...schemaList(part, keyword))
      waiting.push(...singles(part, groupOf('if')))
      waiting.push(...schemaMap(part, 'dependentSchemas').map(([, schema]) => schema))
    }
  }

  /** Whether a schema has keywords besides references. Hundreds of references to one schema are one position. */
  private says(part: JsonObject): boolean {
    return this.isMarked(part) || placing.some((keyword) => Object.hasOwn(part, keyword))
  }

  private idOf(schema: Schema): number {
    const id = this.ids.get(schema) ?? this.ids.size
    this.ids.set(schema, id)
    return id
  }
}

const ofAnyItem = [...itemKeywords].filter((name) => holdingOf(name) === 'schema')
const placing = [...memberKeywords, ...itemKeywords]

function singles(schema: JsonObject, keywords: readonly string[]): Schema[] {
  return keywords.map((keyword) => own(schema, keyword)).filter(isSchema)
}
