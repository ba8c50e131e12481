import type { JsonObject } from '../load/document.js'
import { isObject, own } from '../load/json.js'
import type { Schema } from './model.js'
import { referenceOf, requiredOf, schemaList, schemaMap } from './schema.js'

/**
 * Names of the schemas that no finite value satisfies: those that a least fixpoint does not reach. A schema is
 * looked at again only when one has become finite that kept it from being so.
 */
export function endless(schemas: ReadonlyMap<string, Schema>): string[] {
  const finite = new Set<string>()
  const waiting = new Map<string, string[]>()
  const agenda = [...schemas.keys()].reverse()
  for (let name = agenda.pop(); name !== undefined; name = agenda.pop()) {
    if (finite.has(name)) continue
    const kept = new Set<string>()
    if (hasInstance(schemas.get(name) ?? true, (target) => isFound(target, kept))) {
      finite.add(name)
      agenda.push(...(waiting.get(name) ?? []))
      waiting.delete(name)
    } else {
      for (const blocker of kept) {
        const others = waiting.get(blocker)
        if (others === undefined) waiting.set(blocker, [name])
        else others.push(name)
      }
    }
  }
  return [...schemas.keys()].filter((name) => !finite.has(name))

  function isFound(name: string, kept: Set<string>): boolean {
    const is = !schemas.has(name) || finite.has(name)
    if (!is) kept.add(name)
    return is
  }
}

type IsKnown = (component: string) => boolean

/** Whether a schema has a finite value, as far as is known of the components. */
function hasInstance(schema: Schema, known: IsKnown): boolean {
  if (!isObject(schema)) return true
  const name = referenceOf(schema)
  if (name !== undefined && !known(name)) return false
  if (!schemaList(schema, 'allOf').every((part) => hasInstance(part, known))) return false
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemaList(schema, keyword)
    if (branches.length > 0 && !branches.some((branch) => hasInstance(branch, known))) return false
  }
  return membersAreFinite(schema, known)
}

function membersAreFinite(schema: JsonObject, known: IsKnown): boolean {
  if (schema.type === 'object') {
    const required = requiredOf(schema)
    const properties = required.length === 0 ? undefined : new Map(schemaMap(schema, 'properties'))
    return required.every((key) => hasInstance(properties?.get(key) ?? true, known))
  }
  const items = own(schema, 'items')
  if (schema.type !== 'array' || !isObject(items)) return true
  return !(typeof schema.minItems === 'number' && schema.minItems > 0) || hasInstance(items, known)
}
