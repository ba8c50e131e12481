import type { JsonObject } from '../document/document.js'
import { addToGroup } from '../document/grouping.js'
import { isObject, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { referenceOf, requiredOf, type Schema, schemaList, schemaMap } from './schema.js'

/**
 * Names of the schemas that no finite value satisfies: those outside a least fixpoint. A schema is checked
 * again only if one that it waited for has become finite.
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
      for (const blocker of kept) addToGroup(waiting, blocker, name)
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

/** Whether a schema has a finite value, given what is known of the components. */
function hasInstance(schema: Schema, known: IsKnown): boolean {
  if (!isObject(schema)) return true
  const name = referenceOf(schema)
  if (name !== undefined && !known(name)) return false
  if (!schemaList(schema, 'allOf').every((part) => hasInstance(part, known))) return false
  for (const keyword of choices) {
    const branches = schemaList(schema, keyword)
    if (branches.length > 0 && !branches.some((branch) => hasInstance(branch, known))) return false
  }
  return membersAreFinite(schema, known)
}

function membersAreFinite(schema: JsonObject, known: IsKnown): boolean {
  if (schema.type === 'object') return requiredMembersAreFinite(schema, known)
  if (schema.type !== 'array') return true
  const least = atLeast(schema, 'minItems')
  const first = schemaList(schema, 'prefixItems')
  const others = schemaAt(schema, 'items')
  const needed = [...first.slice(0, least), ...(least > first.length ? [others] : [])]
  if (!needed.every((item) => hasInstance(item, known))) return false
  if (!Object.hasOwn(schema, 'contains') || schema.minContains === 0) return true
  return hasInstance(schemaAt(schema, 'contains'), known)
}

/** Whether every required member can be finite, and the members of free names that minProperties requires. */
function requiredMembersAreFinite(schema: JsonObject, known: IsKnown): boolean {
  const required = requiredOf(schema)
  const least = atLeast(schema, 'minProperties')
  if (required.length === 0 && least === 0) return true
  const properties = new Map(schemaMap(schema, 'properties'))
  const patterns = schemaMap(schema, 'patternProperties')
  const others = schemaAt(schema, 'additionalProperties')
  const mayEnd = (key: string): boolean => {
    const matching = patterns.filter(([pattern]) => patternMatches(pattern, key)).map(([, part]) => part)
    const property = properties.get(key)
    const parts = property === undefined ? matching : [property, ...matching]
    return (parts.length > 0 ? parts : [others]).every((part) => hasInstance(part, known))
  }
  if (!required.every(mayEnd)) return false
  if (least <= new Set(required).size || hasInstance(others, known)) return true
  if (patterns.some(([, part]) => hasInstance(part, known))) return true
  return [...properties.keys()].filter(mayEnd).length >= least
}

function atLeast(schema: JsonObject, keyword: string): number {
  const value = own(schema, keyword)
  return typeof value === 'number' ? value : 0
}

/** The schema of a keyword. Any value if there is none, or if it refers to no other schema. */
function schemaAt(schema: JsonObject, keyword: string): Schema {
  const value = own(schema, keyword)
  return isObject(value) ? value : true
}
