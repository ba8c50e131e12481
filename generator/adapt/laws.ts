import { canonical } from '../contains/values/value.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { schemaMap } from '../schema/schema.js'
import type { Adaptation, AdaptedOperation } from './adaptation.js'
import type { Attacker } from './attack.js'
import { applied, keep, type WholePlan } from './plan.js'

/** What callers of the older version read of a resource, and then write back. */
export interface RoundTrip {
  readonly read: string
  readonly write: string
  readonly cases: number
  /** A result of the next version that the older one reads as something else once it was written back. */
  readonly counterexample?: Json
}

/**
 * Reads a resource in the older version, writes back what it knows, and reads again: the older version must see what it
 * saw. Covers operations of one path, of which a GET answers an object and a PUT or PATCH takes members with its names.
 * What is written replaces those members of the resource in the next version.
 */
export function roundTrips(
  { operations }: Pick<Adaptation, 'operations'>,
  attacker: Attacker,
): readonly RoundTrip[] {
  const reads = new Map(
    operations
      .filter(({ before }) => before.rest.method === 'GET')
      .map((operation) => [operation.before.rest.path, operation]),
  )
  return operations.flatMap((write): RoundTrip[] => {
    const { method, path } = write.before.rest
    const read = method === 'PUT' || method === 'PATCH' ? reads.get(path) : undefined
    if (read === undefined || !isDerived(read) || !isDerived(write)) return []
    const [back, forth] = [planOf(read, 'result'), planOf(write, 'params')]
    if (back.kind === 'keep' && forth.kind === 'keep') return []
    return tripsOf(read, write, back, forth, attacker)
  })
}

function isDerived({ kind }: AdaptedOperation): boolean {
  return kind === 'identity' || kind === 'derived'
}

function planOf({ parts }: AdaptedOperation, name: 'params' | 'result'): WholePlan {
  return parts.find((part) => part.name === name)?.plan ?? keep
}

function tripsOf(
  read: AdaptedOperation,
  write: AdaptedOperation,
  back: WholePlan,
  forth: WholePlan,
  attacker: Attacker,
): RoundTrip[] {
  if (read.after === undefined || write.after === undefined) return []
  const names = new Set(schemaMap(write.before.params, 'properties').map(([name]) => name))
  let cases = 0
  for (const result of attacker.cases('result', read.before, read.after)) {
    const seen = applied(back, result)
    if (!isObject(result) || !isObject(seen)) continue
    const written = objectOf(Object.entries(seen).filter(([name]) => names.has(name)))
    if (Object.keys(written).length === 0) continue
    const changed = applied(forth, written)
    const after = applied(back, replaced(result, isObject(changed) ? changed : {}))
    cases += 1
    if (canonical(after) !== canonical(seen))
      return [{ read: read.name, write: write.name, cases, counterexample: result }]
  }
  return cases === 0 ? [] : [{ read: read.name, write: write.name, cases }]
}

/** Members that the object has, with their new values. A nested object keeps members that the new one lacks. */
function replaced(object: JsonObject, by: JsonObject): JsonObject {
  return objectOf(
    Object.entries(object).map(([name, member]): [string, Json] => {
      const other = own(by, name)
      if (other === undefined) return [name, member]
      return [name, isObject(member) && isObject(other) ? { ...member, ...other } : other]
    }),
  )
}
