import type { Diagnostic } from '../load/diagnostic.js'
import type { Document, JsonObject } from '../load/document.js'
import { isObject, own } from '../load/json.js'
import type { Components } from './components.js'
import { objectOf } from './cursor.js'
import type { Schema } from './model.js'
import { mapSubschemas, referenceOf, requiredOf, schemaList, schemaMap, subschemas } from './schema.js'

/**
 * Breaks recursion that never reaches into the instance. A child that takes its base by `allOf`, while
 * the base lists its children in `oneOf` or `anyOf` (the usual way to write inheritance), gets the base's
 * own keywords instead. What is left, such as `A: {$ref: B}, B: {$ref: A}`, is an error.
 */
export function breakRecursion(components: Components, document: Document, diagnostics: Diagnostic[]): void {
  const { schemas } = components
  for (const [name, schema] of schemas) {
    if (!leadsTo(schemas, schema, name)) continue
    schemas.set(name, withBasesInlined(schemas, schema, name, new Set([name])))
  }
  for (const [name, schema] of schemas) {
    if (!leadsTo(schemas, schema, name)) continue
    schemas.set(name, true)
    const what = 'refers to itself without reaching into a property or an item'
    diagnostics.push(diagnostic('schema-recursion', components, document, name, what))
  }
}

/** Reports every schema that no finite value can satisfy. */
export function checkFinite(components: Components, document: Document, diagnostics: Diagnostic[]): void {
  for (const name of endless(components.schemas)) {
    const what = 'can have no finite value: it requires a value of itself'
    diagnostics.push(diagnostic('schema-endless', components, document, name, what))
  }
}

function diagnostic(
  code: string,
  components: Components,
  document: Document,
  name: string,
  what: string,
): Diagnostic {
  return {
    code,
    severity: 'error',
    message: `The schema ${JSON.stringify(name)} ${what}`,
    remedy: 'Make a property on the way optional or nullable, or take the reference out.',
    at: document.locate(components.pointers.get(name) ?? '#/components/schemas'),
  }
}

/** Keywords whose schemas apply to the same place of the instance (JSON Schema 2020-12 section 7.5). */
const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'])

function leadsTo(schemas: ReadonlyMap<string, Schema>, from: Schema, target: string): boolean {
  const seen = new Set<string>()
  const visit = (schema: Schema): boolean => {
    if (!isObject(schema)) return false
    const name = referenceOf(schema)
    if (name === target) return true
    if (name !== undefined && !seen.has(name)) {
      seen.add(name)
      const next = schemas.get(name)
      if (next !== undefined && visit(next)) return true
    }
    return subschemas(schema).some((part) => inPlace.has(part.keyword) && visit(part.schema))
  }
  return visit(from)
}

function withBasesInlined(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  name: string,
  seen: ReadonlySet<string>,
): Schema {
  if (!isObject(schema) || !Object.hasOwn(schema, 'allOf')) return schema
  const bases = schemaList(schema, 'allOf').flatMap((base): Schema[] => {
    const baseName = referenceOf(base)
    const target = baseName === undefined ? undefined : schemas.get(baseName)
    if (baseName === undefined || target === undefined) return [base]
    if (baseName !== name && !leadsTo(schemas, target, name)) return [base]
    if (seen.has(baseName) || !isObject(target)) return []
    const own = objectOf(Object.entries(target).filter(([keyword]) => !alternatives.has(keyword)))
    return [withBasesInlined(schemas, own, name, new Set([...seen, baseName]))]
  })
  const { allOf: _, ...rest } = schema
  return bases.length === 0 ? rest : mapSubschemas({ ...rest, allOf: bases }, keep)
}

const alternatives = new Set(['oneOf', 'anyOf', 'discriminator'])
const keep = (schema: unknown): Schema => (typeof schema === 'boolean' || isObject(schema) ? schema : true)

/** Names of the schemas that no finite value satisfies: those that a least fixpoint does not reach. */
function endless(schemas: ReadonlyMap<string, Schema>): string[] {
  const finite = new Set<string>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [name, schema] of schemas) {
      if (finite.has(name) || !hasInstance(schema)) continue
      finite.add(name)
      grown = true
    }
  }
  return [...schemas.keys()].filter((name) => !finite.has(name))

  function hasInstance(schema: Schema): boolean {
    if (!isObject(schema)) return true
    const name = referenceOf(schema)
    if (name !== undefined && schemas.has(name) && !finite.has(name)) return false
    if (!schemaList(schema, 'allOf').every(hasInstance)) return false
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemaList(schema, keyword)
      if (branches.length > 0 && !branches.some(hasInstance)) return false
    }
    return membersAreFinite(schema)
  }

  function membersAreFinite(schema: JsonObject): boolean {
    if (schema.type === 'object') {
      const properties = new Map(schemaMap(schema, 'properties'))
      return requiredOf(schema).every((key) => hasInstance(properties.get(key) ?? true))
    }
    const items = own(schema, 'items')
    if (schema.type !== 'array' || !isObject(items)) return true
    return !(typeof schema.minItems === 'number' && schema.minItems > 0) || hasInstance(items)
  }
}
