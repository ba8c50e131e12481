import type { JsonObject } from '../document/document.js'
import { groupBy } from '../document/grouping.js'
import { isObject, own } from '../document/json.js'
import { itemKeywords, unnamedMembers } from '../document/vocabulary.js'
import { isSchema, mapSubschemas, type Schema } from '../schema/schema.js'

/**
 * Functions whose number of calls may grow exponentially with the depth of a value: those of recursive schemas
 * that check the same part in several ways, such as in two branches of `anyOf`, and all recursive ones that
 * these lead to.
 *
 * @param written the schemas to compile, by the names of their functions, which are their references
 */
export function rememberedFunctions(written: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const calls = new Map(Array.from(written, ([id, schema]) => [id, callsOf(schema)]))
  const targets = new Map(
    Array.from(calls, ([id, list]) => [id, new Set(list.map(({ target }) => target))] as const),
  )
  const recursive = recursiveOf(targets)
  const found = new Set<string>()
  for (const id of recursive) {
    const inner = (calls.get(id) ?? []).filter(({ target }) => recursive.has(target))
    for (const target of overlapping(inner)) found.add(target)
  }
  for (const id of found)
    for (const target of targets.get(id) ?? []) if (recursive.has(target)) found.add(target)
  return found
}

/** A call of a function for a part of a value. */
interface Call {
  /** The path from the value to the part. */
  readonly place: readonly string[]
  readonly target: string
}

const anyMember = '{}'
const anyItem = '[]'

function callsOf(schema: Schema, place: readonly string[] = []): Call[] {
  if (!isObject(schema)) return []
  const reference = own(schema, '$ref')
  const calls: Call[] = typeof reference === 'string' ? [{ place, target: reference }] : []
  mapSubschemas(schema, (subschema, keyword, key) => {
    if (isSchema(subschema)) calls.push(...callsOf(subschema, [...place, ...stepOf(keyword, key)]))
    return true
  })
  return calls
}

function stepOf(keyword: string, key: string | number | undefined): readonly string[] {
  if (keyword === 'properties') return [`.${key}`]
  if (keyword === 'prefixItems') return [`[${key}`]
  if (keyword === 'propertyNames') return ['name']
  if (unnamedMembers.includes(keyword)) return [anyMember]
  return itemKeywords.has(keyword) ? [anyItem] : []
}

/** Targets of calls for a part that another call also checks, as a whole or in parts. */
function overlapping(calls: readonly Call[], depth = 0): readonly string[] {
  if (calls.length < 2) return []
  if (calls.some(({ place }) => place.length === depth)) return calls.map(({ target }) => target)
  const groups = groupBy(calls, ({ place }) => place[depth] ?? '')
  return [...groups].flatMap(([step, group]) => {
    const any = step.startsWith('.')
      ? anyMember
      : step.startsWith('[') && step !== anyItem
        ? anyItem
        : undefined
    const others = any === undefined ? undefined : groups.get(any)
    return overlapping(others === undefined ? group : [...group, ...others], depth + 1)
  })
}

/**
 * The functions in cycles or between them: removes repeatedly those that call none, and those that none calls.
 */
function recursiveOf(targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const callers = new Map<string, Set<string>>(Array.from(targets.keys(), (id) => [id, new Set()]))
  for (const [id, called] of targets) for (const target of called) callers.get(target)?.add(id)
  const left = new Set(targets.keys())
  const withoutEnds = (
    ways: ReadonlyMap<string, ReadonlySet<string>>,
    back: ReadonlyMap<string, ReadonlySet<string>>,
  ): void => {
    const counts = new Map(
      Array.from(left, (id) => [id, [...(ways.get(id) ?? [])].filter((other) => left.has(other)).length]),
    )
    const ends = [...left].filter((id) => counts.get(id) === 0)
    for (const end of ends) {
      left.delete(end)
      for (const id of back.get(end) ?? []) {
        const count = (counts.get(id) ?? 0) - 1
        counts.set(id, count)
        if (count === 0) ends.push(id)
      }
    }
  }
  withoutEnds(targets, callers)
  withoutEnds(callers, targets)
  return left
}
