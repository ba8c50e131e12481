import { type Cursor, rootCursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { entriesOf, memberOf, referenced, type Side } from '../change/side.js'
import type { Tools } from './parts/pair.js'

/**
 * Reports component schemas that were removed or added. Renamed ones are ignored, and so are those that were inlined or
 * extracted without changing any operation.
 */
export function componentFacts(old: Side, new_: Side, { collector, reach }: Tools): void {
  const [olds, news] = [schemasOf(old), schemasOf(new_)]
  const changed = new Set(
    collector.changes.filter(({ level }) => level !== 'info').flatMap(({ operations }) => operations),
  )
  const { sameness, described } = reach.graph
  const areSame = (one: Json, other: Json): boolean => {
    // Most pairs differ in their property names, which are quick to compare.
    const [names, others] = [described.old.of(one), described.new.of(other)]
    return (
      names.size === others.size && [...names].every((name) => others.has(name)) && sameness.of(one, other)
    )
  }
  const [removed, added] = [without(olds, news), without(news, olds)]
  // Compare content last: a document that renames all components has many pairs.
  for (const [name, cursor] of named(old, removed, changed))
    if (!added.some(([, { value }]) => areSame(cursor.value, value)))
      collector.add({
        id: 'api-schema-removed',
        message: `the schema ${name} was removed`,
        old: cursor,
        values: [name],
      })
  for (const [name, cursor] of named(new_, added, changed))
    if (!removed.some(([, { value }]) => areSame(value, cursor.value)))
      collector.add({
        id: 'api-schema-added',
        message: `the schema ${name} was added`,
        new: cursor,
        values: [name],
      })
}

type Entry = readonly [name: string, schema: Cursor]

/** The entries whose names the other version does not have. */
function without(some: ReadonlyMap<string, Cursor>, others: ReadonlyMap<string, Cursor>): readonly Entry[] {
  return [...some].filter(([name]) => !others.has(name))
}

function schemasOf(side: Side): Map<string, Cursor> {
  return entriesOf(side, memberOf(side, rootCursor(side.document), 'components'), 'schemas')
}

/** The schemas that no operation refers to, or that a changed operation refers to. */
function named(side: Side, schemas: readonly Entry[], changed: ReadonlySet<string>): readonly Entry[] {
  if (schemas.length === 0) return []
  const [seen, reached] = [new Set<Json>(), new Set<Json>()]
  const reach = (endpoints: Side['endpoints']): void => {
    for (const { operation, item } of endpoints)
      for (const { value } of [operation, item]) addReached(side, value, seen, reached)
  }
  reach(side.endpoints.filter(({ name }) => changed.has(name)))
  const differing = new Set(reached)
  reach(side.endpoints)
  return schemas.filter(([, { value }]) => !reached.has(value) || differing.has(value))
}

/** Adds everything that references in a value lead to. `seen`: the values that need no second visit. */
function addReached(side: Side, start: Json, seen: Set<Json>, found: Set<Json>): void {
  const waiting: Json[] = [start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    seen.add(at)
    const target = isObject(at) ? referenced(side, at.$ref)?.value : undefined
    if (target !== undefined) {
      found.add(target)
      waiting.push(target)
    }
    const holder = at as JsonObject
    // A list of the members would take twice as long.
    for (const key in holder) {
      const member = holder[key]
      if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
}
