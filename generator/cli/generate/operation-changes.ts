import { addToGroup } from '../../document/grouping.js'
import { unescaped } from '../../document/pointer.js'
import type { Model, Operation } from '../../model/model.js'
import type { Schema } from '../../schema/schema.js'

/** Names of operations, sorted. */
export interface OperationChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** How the operations of two models differ, including all schemas that they refer to. */
export function operationChanges(before: Model, after: Model): OperationChanges {
  const [old, now] = [textsOf(before.operations), textsOf(after.operations)]
  const affected = affectedSchemas(before.schemas, after.schemas)
  const isChanged = (name: string, text: string): boolean =>
    old.has(name) && (old.get(name) !== text || referencesIn(text).some((target) => affected.has(target)))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)).sort(),
    changed: [...now].flatMap(([name, text]) => (isChanged(name, text) ? [name] : [])).sort(),
    removed: [...old.keys()].filter((name) => !now.has(name)).sort(),
  }
}

/** The text of each operation, without its line numbers. */
function textsOf(operations: readonly Operation[]): Map<string, string> {
  return new Map(
    operations.map(({ source, ...operation }) => [
      operation.name,
      JSON.stringify({ ...operation, pointer: source.pointer }),
    ]),
  )
}

/** Components that differ, and those that refer to one that differs. */
function affectedSchemas(
  before: ReadonlyMap<string, Schema>,
  after: ReadonlyMap<string, Schema>,
): ReadonlySet<string> {
  const affected = new Set<string>()
  const referrers = new Map<string, string[]>()
  for (const [name, schema] of after) {
    const text = JSON.stringify(schema)
    if (text !== JSON.stringify(before.get(name))) affected.add(name)
    for (const target of referencesIn(text)) addToGroup(referrers, target, name)
  }
  for (const name of affected) for (const referrer of referrers.get(name) ?? []) affected.add(referrer)
  return affected
}

function referencesIn(text: string): string[] {
  const found = new Set(
    Array.from(text.matchAll(/"#\/components\/schemas\/([^"]*)"/g), ([, name = '']) => name),
  )
  return Array.from(found, unescaped)
}
