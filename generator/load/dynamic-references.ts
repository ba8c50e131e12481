import type { Json, JsonObject } from '../document/document.js'
import { clone, isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { escaped, parseFragment, valueAt } from '../document/pointer.js'
import { absoluteId, findIdentifiers, type Identifiers } from './identifiers.js'
import type { Origins } from './origins.js'
import type { Source } from './source.js'

/**
 * Writes out the generics of a document (JSON Schema 2020-12, sections 7.7 and 8.2.3.2). A schema that refers
 * to another and redefines its dynamic anchors gets a copy of it, in which each `$dynamicRef` leads to the
 * redefinition. Changes the entry in place. Anchors that schemas of one file redefine without such a
 * reference stay, and are errors where they are used.
 */
export function writeOutGenerics(entry: Source, origins: Origins): void {
  if (!entry.text.includes('$dynamicRef')) return
  const copies = { left: mostCopies }
  const { ids } = findIdentifiers(entry)
  const visit = (value: Json, pointer: string): void => {
    if (isArray(value)) for (const [index, item] of value.entries()) visit(item, `${pointer}/${index}`)
    if (!isObject(value)) return
    for (const [key, member] of Object.entries(value)) visit(member, `${pointer}/${escaped(key)}`)
    bind(value, pointer)
  }
  const bind = (schema: MutableObject, pointer: string): void => {
    const reference = own(schema, '$ref')
    const anchors = anchorsOf(schema, pointer)
    const template =
      typeof reference === 'string'
        ? (targetOf(entry.value, reference) ?? identified(entry, ids, schema))
        : undefined
    if (template === undefined || anchors.size === 0) return
    const copy = instance({ entry, origins, anchors, copies }, template, [schema])
    if (copy === undefined) return
    delete schema.$ref
    const parts = own(schema, 'allOf')
    schema.allOf = [copy, ...(isArray(parts) ? parts : [])]
    for (const holder of [schema, ...Object.values(definitionsOf(schema))])
      if (isObject(holder)) delete (holder as MutableObject).$dynamicAnchor
  }
  visit(entry.value, '#')
}

/** Pointers of the schemas with dynamic anchors: the schema itself and its `$defs`. */
function anchorsOf(schema: MutableObject, pointer: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const note = (holder: Json, at: string): void => {
    const anchor = isObject(holder) ? own(holder, '$dynamicAnchor') : undefined
    if (typeof anchor === 'string') found.set(anchor, at)
  }
  note(schema, pointer)
  for (const [key, definition] of Object.entries(definitionsOf(schema)))
    note(definition, `${pointer}/$defs/${escaped(key)}`)
  return found
}

function definitionsOf(schema: MutableObject): MutableObject {
  const definitions = own(schema, '$defs')
  return isObject(definitions) ? definitions : {}
}

interface Target {
  readonly value: MutableObject
  readonly segments: readonly string[]
}

function targetOf(root: Json, reference: string): Target | undefined {
  const segments = reference.startsWith('#/') ? parseFragment(reference.slice(1)) : undefined
  const value = segments && valueAt(root, segments)
  return segments !== undefined && isObject(value) ? { value, segments } : undefined
}

/** The schema whose `$id` the reference of a schema with an `$id` names. */
function identified(entry: Source, ids: Identifiers['ids'], schema: JsonObject): Target | undefined {
  const [id, reference] = [own(schema, '$id'), own(schema, '$ref')]
  if (typeof id !== 'string' || typeof reference !== 'string') return undefined
  const segments = ids.get(absoluteId(reference, id))
  const value = segments && valueAt(entry.value, segments)
  return segments !== undefined && isObject(value) ? { value, segments } : undefined
}

/** Templates may refer to each other many times: a document needs a few copies, an attack needs millions. */
const mostCopies = 5_000

interface Binding {
  readonly entry: Source
  readonly origins: Origins
  readonly anchors: ReadonlyMap<string, string>
  readonly copies: { left: number }
}

/** A copy of a template with its dynamic references bound. Undefined if it has none of these anchors. */
function instance(binding: Binding, { value, segments }: Target, within: readonly Json[]): Json | undefined {
  const { entry, origins, anchors, copies } = binding
  if (within.includes(value) || copies.left === 0) return undefined
  copies.left -= 1
  const copy = clone(value) as MutableObject
  let isBound = false
  const visit = (part: Json): void => {
    if (isArray(part)) for (const item of part) visit(item)
    if (!isObject(part)) return
    const holder: MutableObject = part
    const dynamic = own(holder, '$dynamicRef')
    const bound = typeof dynamic === 'string' ? anchors.get(dynamic.slice(1)) : undefined
    if (bound !== undefined) {
      holder.$ref = bound
      delete holder.$dynamicRef
      isBound = true
      return
    }
    const reference = own(holder, '$ref')
    const inner = typeof reference === 'string' ? targetOf(entry.value, reference) : undefined
    const nested = inner && instance(binding, inner, [...within, value])
    if (nested !== undefined) {
      delete holder.$ref
      const parts = own(holder, 'allOf')
      holder.allOf = [nested, ...(isArray(parts) ? parts : [])]
      isBound = true
    }
    for (const member of Object.values(holder)) visit(member)
  }
  for (const name of ['$id', '$anchor', '$dynamicAnchor']) delete copy[name]
  const definitions = own(copy, '$defs')
  if (isObject(definitions)) {
    const kept = Object.entries(definitions).filter(([, one]) => !givesOneOf(one, anchors))
    delete copy.$defs
    const rest: MutableObject = {}
    for (const [key, one] of kept) setOwn(rest, key, one)
    if (kept.length > 0) copy.$defs = rest
  }
  visit(copy)
  if (!isBound) return undefined
  origins.set(copy, { source: entry, segments })
  return copy
}

function givesOneOf(definition: Json, anchors: ReadonlyMap<string, string>): boolean {
  const anchor = isObject(definition) ? own(definition, '$dynamicAnchor') : undefined
  return typeof anchor === 'string' && anchors.has(anchor)
}
