import { namespaceOf } from '../code/layout.js'
import type { FolderRecord } from './handler-files.js'
import type { Wanted } from './required-operations.js'

/** How the operations of the record map to those of the new version. */
export interface Matching {
  /** Old name by new name, of every operation that still exists. */
  readonly kept: ReadonlyMap<string, string>
  /** Old names. */
  readonly removed: readonly string[]
  /** New name by old name, of namespaces that were renamed as a whole. */
  readonly namespaces: ReadonlyMap<string, string>
}

/** Matches operations of two versions by name, then by method and path. */
export function matchOperations(record: FolderRecord | undefined, wanted: Wanted): Matching {
  const old = new Map([...(record?.operations ?? [])].map(([name, { rest }]) => [name, rest]))
  const kept = new Map<string, string>()
  for (const name of wanted.operations.keys()) if (old.has(name)) kept.set(name, name)
  const free = new Map<string, string>()
  for (const [name, rest] of old) if (!kept.has(name)) free.set(rest, name)
  for (const { name, rest } of wanted.operations.values()) {
    const before = kept.has(name) ? undefined : free.get(rest)
    if (before === undefined) continue
    kept.set(name, before)
    free.delete(rest)
  }
  const goingOn = new Set(kept.values())
  return {
    kept,
    removed: [...old.keys()].filter((name) => !goingOn.has(name)),
    namespaces: renamedNamespaces(kept, old, wanted),
  }
}

/** A namespace is renamed if all of its remaining operations went to one new namespace, and nothing else went there. */
function renamedNamespaces(
  kept: ReadonlyMap<string, string>,
  old: ReadonlyMap<string, string>,
  wanted: Wanted,
): Map<string, string> {
  const before = new Set([...old.keys()].map(namespaceOf))
  const targets = new Map<string, Set<string>>()
  const sources = new Map<string, Set<string>>()
  for (const [name, was] of kept) {
    const [from, to] = [namespaceOf(was), namespaceOf(name)]
    targets.set(from, (targets.get(from) ?? new Set()).add(to))
    sources.set(to, (sources.get(to) ?? new Set()).add(from))
  }
  const renamed = new Map<string, string>()
  for (const [from, found] of targets) {
    const [to] = found
    if (to === undefined || found.size > 1 || wanted.interfaces.has(from) || before.has(to)) continue
    if (sources.get(to)?.size === 1) renamed.set(from, to)
  }
  return renamed
}
