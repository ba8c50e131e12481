import type { Json, JsonObject } from './document.js'
import type { Kind, Shape } from './field.js'
import { isArray, isObject, own } from './json.js'
import { objects } from './openapi-grammar.js'
import type { Path } from './pointer.js'
import { schemaFields } from './schema-grammar.js'

/** The shape of each kind: OpenAPI 3.1.1 section 4.8, with the fields that 3.2 adds. */
export const shapes: Readonly<Record<Kind, Shape>> = {
  ...objects,
  schema: { fields: schemaFields, referable: true },
}

/** One object of the specification within a document. */
export interface GrammarNode {
  readonly kind: Kind
  readonly value: Json
  readonly path: Path
  /** The object that holds it, and by which of its fields; absent at the root of a walk. */
  readonly parent?: GrammarNode
  readonly field?: string
}

/** The `$ref` of a node that is a reference, else undefined. A property named `$ref` is never one. */
export function referenceOf(node: Pick<GrammarNode, 'kind' | 'value'>): string | undefined {
  if (!shapes[node.kind].referable || !isObject(node.value)) return undefined
  const reference = own(node.value, '$ref')
  return typeof reference === 'string' ? reference : undefined
}

/** Receives each map of objects in a node: its key, and the kind of its members. */
export type VisitMap = (map: JsonObject, key: string, kind: Kind, node: GrammarNode) => void

/** Visits a node and every object of the specification below it, in document order; `false` skips what is below. */
export function walk(
  node: GrammarNode,
  visit: (node: GrammarNode) => undefined | false,
  visitMap?: VisitMap,
): void {
  const object = node.value
  if (visit(node) === false || !isObject(object)) return
  // Next to $ref a Reference Object has only texts. Schemas and path items keep their other fields.
  if (node.kind !== 'schema' && node.kind !== 'pathItem' && referenceOf(node) !== undefined) return
  const { others } = shapes[node.kind]
  const holders = holdersOf(node.kind)
  for (const key of Object.keys(object)) {
    const holder =
      holders.get(key) ?? (others?.keys.test(key) ? { holds: 'one', kind: others.kind } : undefined)
    if (holder === undefined) continue
    const { holds, kind } = holder
    const value = object[key] ?? null
    const path = { parent: node.path, key }
    if (holds === 'one') {
      walk({ kind, value, path, parent: node, field: key }, visit, visitMap)
    } else if (holds === 'map') {
      if (!isObject(value)) continue
      visitMap?.(value, key, kind, node)
      for (const name of Object.keys(value)) {
        const below = { parent: path, key: name }
        walk({ kind, value: value[name] ?? null, path: below, parent: node, field: key }, visit, visitMap)
      }
    } else if (isArray(value)) {
      for (let index = 0; index < value.length; index += 1) {
        const below = { parent: path, key: String(index) }
        walk({ kind, value: value[index] ?? null, path: below, parent: node, field: key }, visit, visitMap)
      }
    }
  }
}

/** A field that holds other objects. */
interface Holder {
  readonly holds: 'one' | 'map' | 'list'
  readonly kind: Kind
}

/** The fields of a kind that hold objects: half a million keys of a large document are looked up in them. */
function holdersOf(kind: Kind): ReadonlyMap<string, Holder> {
  let holders = holdersByKind.get(kind)
  if (holders === undefined) {
    const found = Object.entries(shapes[kind].fields).flatMap(([key, field]): [string, Holder][] => {
      if ('one' in field) return [[key, { holds: 'one', kind: field.one }]]
      if ('map' in field) return [[key, { holds: 'map', kind: field.map }]]
      return 'list' in field ? [[key, { holds: 'list', kind: field.list }]] : []
    })
    holders = new Map(found)
    holdersByKind.set(kind, holders)
  }
  return holders
}

const holdersByKind = new Map<Kind, ReadonlyMap<string, Holder>>()
