import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { objectOf } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { parsePointer } from '../../document/pointer.js'
import { UsingOperations } from '../../document/using-operations.js'
import { choices } from '../../document/vocabulary.js'
import { endless } from '../../schema/finite.js'
import { InPlaceGraph } from '../../schema/in-place-graph.js'
import { isAnnotation, mapSubschemas, referenceOf, type Schema, schemaList } from '../../schema/schema.js'
import type { Components } from '../content/components.js'

/**
 * Breaks recursion that never descends into the instance. In the usual notation for inheritance, a child
 * takes its base by `allOf` and the base lists its children in `oneOf` or `anyOf`. Such a child gets the
 * base's own keywords instead. Any other such recursion, such as `A: {$ref: B}, B: {$ref: A}`, is an error.
 */
export function breakRecursion(components: Components, document: Document, diagnostics: Diagnostic[]): void {
  const { schemas } = components
  const graph = new InPlaceGraph(schemas)
  const circular = graph.circular()
  for (const name of circular) {
    if (!graph.leadsTo(name, name)) continue
    const inlined = withBasesInlined(graph, schemas.get(name) ?? true, name, new Set([name]))
    // If nothing is left without the recursive alternatives, it is not inheritance: any value would be
    // accepted.
    if (!saysNothing(inlined)) graph.set(name, inlined)
  }
  for (const name of circular) {
    if (!graph.leadsTo(name, name)) continue
    graph.set(name, true)
    const what = 'refers to itself without a property or an item in between'
    diagnostics.push(diagnostic('schema-recursion', components, document, name, what))
  }
}

/** Reports every schema that no finite value satisfies. */
export function checkFinite(components: Components, document: Document, diagnostics: Diagnostic[]): void {
  const found = endless(components.schemas)
  const users = found.length > 0 ? new UsingOperations(document.root) : undefined
  for (const name of found) {
    const used = users?.of(parsePointer(components.pointers.get(name) ?? '') ?? []) ?? 'no operation'
    const what = `has no finite value: it requires a value of itself (in ${used})`
    diagnostics.push(diagnostic('schema-endless', components, document, name, what))
  }
}

function diagnostic(
  code: 'schema-endless' | 'schema-recursion',
  components: Components,
  document: Document,
  name: string,
  what: string,
): Diagnostic {
  const pointer = components.pointers.get(name) ?? '#/components/schemas'
  const message = `The schema ${JSON.stringify(name)} ${what}`
  const remedy = 'Make a property on the way optional or nullable, or remove the reference.'
  return diagnose(code, message, document.locate(pointer), { remedy, pointer })
}

function withBasesInlined(
  graph: InPlaceGraph,
  schema: Schema,
  name: string,
  seen: ReadonlySet<string>,
): Schema {
  if (!isObject(schema) || !Object.hasOwn(schema, 'allOf')) return schema
  const bases = schemaList(schema, 'allOf').flatMap((base): Schema[] => {
    const baseName = referenceOf(base)
    const target = baseName === undefined ? undefined : graph.schemas.get(baseName)
    if (baseName === undefined || target === undefined) return [base]
    if (baseName !== name && !graph.leadsTo(baseName, name)) return [base]
    if (seen.has(baseName) || !isObject(target)) return []
    const own = objectOf(Object.entries(target).filter(([keyword]) => !alternatives.has(keyword)))
    return [withBasesInlined(graph, own, name, new Set([...seen, baseName]))]
  })
  const { allOf: _, ...rest } = schema
  return bases.length === 0 ? rest : mapSubschemas({ ...rest, allOf: bases }, keep)
}

function saysNothing(schema: Schema): boolean {
  if (!isObject(schema)) return schema
  const parts = schemaList(schema, 'allOf')
  return Object.keys(schema).every((key) => key === 'allOf' || isAnnotation(key)) && parts.every(saysNothing)
}

const alternatives = new Set<string>([...choices, 'discriminator'])
const keep = (schema: unknown): Schema => (typeof schema === 'boolean' || isObject(schema) ? schema : true)
