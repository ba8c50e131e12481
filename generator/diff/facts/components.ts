import type { Json } from '../../load/document.js'
import { isArray, isObject } from '../../load/json.js'
import { rootCursor } from '../../model/cursor.js'
import type { Sameness } from '../schema/same.js'
import { entriesOf, memberOf, referenced, type Side } from '../side.js'
import type { Tools } from './pair.js'

/**
 * Component schemas that are gone: not those that have another name now, nor those that stand in place wherever they
 * were referred to, so that no operation changed.
 */
export function componentFacts(old: Side, new_: Side, { collector, reach }: Tools): void {
  const { sameness } = reach.graph
  const [olds, news] = [old, new_].map((side) => {
    const components = memberOf(side, rootCursor(side.document), 'components')
    return entriesOf(side, components, 'schemas')
  })
  const gone = [...(olds ?? [])].filter(
    ([name, { value }]) => news?.has(name) !== true && !isElsewhere(sameness, value, news),
  )
  if (gone.length === 0) return
  const changed = new Set(
    collector.changes.filter(({ level }) => level !== 'info').flatMap(({ operations }) => operations),
  )
  const reached = new Set<Json>()
  const differing = new Set<Json>()
  for (const { name, operation, item } of old.endpoints)
    for (const schema of reachedFrom(old, [operation.value, item.value])) {
      reached.add(schema)
      if (changed.has(name)) differing.add(schema)
    }
  for (const [name, cursor] of gone)
    if (!reached.has(cursor.value) || differing.has(cursor.value))
      collector.add({
        id: 'api-schema-removed',
        message: `the schema ${name} was removed`,
        old: cursor,
        values: [name],
      })
}

function isElsewhere(
  sameness: Sameness,
  schema: Json,
  news: ReadonlyMap<string, { readonly value: Json }> | undefined,
): boolean {
  return [...(news?.values() ?? [])].some(({ value }) => sameness.of(schema, value))
}

/** Everything that references lead to. */
function reachedFrom(side: Side, start: readonly Json[]): Set<Json> {
  const [seen, found] = [new Set<Json>(), new Set<Json>()]
  const waiting: Json[] = [...start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    seen.add(at)
    if (isArray(at)) waiting.push(...at)
    else if (isObject(at)) {
      const target = referenced(side, at.$ref)?.value
      if (target !== undefined) {
        found.add(target)
        waiting.push(target)
      }
      waiting.push(...Object.values(at))
    }
  }
  return found
}
