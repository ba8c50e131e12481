import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { fingerprint } from '../schema/canonical.js'
import { schemaMap } from '../schema/schema.js'
import type { Adaptation, AdaptedOperation } from './adaptation.js'
import type { Attacker } from './attack.js'
import { applied, omitsOf } from './plan/plan.js'

/** What callers of the older version read of a resource, and then write back. */
export interface RoundTrip {
  readonly read: string
  readonly write: string
  readonly cases: number
  /** Members that callers write back and the next version does not get, which the table names as lost. */
  readonly lost?: readonly string[]
  readonly counterexample?: {
    /** A result of the next version that the older one reads as something else once it was written back. */
    readonly result: Json
    /** What a caller of the older version writes back. */
    readonly written: Json
  }
}

/** What converts a part of an operation. Undefined: nothing that can be run. */
export type ConverterOf = (operation: AdaptedOperation, part: 'params' | 'result') => Converter | undefined

/** Whether it is declared that params of an operation lose a member. */
export type LossOf = (operation: AdaptedOperation, member: string) => boolean

export const derivedLossOf: LossOf = ({ parts }, member) =>
  parts.some(({ name, plan }) => name === 'params' && omitsOf(plan).includes(`omits /${member}`))

/** Undefined: the converter makes nothing of the value. */
type Converter = (value: Json) => Json | undefined | Promise<Json | undefined>

/** Converters that follow from the documents. Parts that stay as they are have none to try. */
export const derivedConverter: ConverterOf = ({ parts, kind }, name) => {
  if (kind !== 'identity' && kind !== 'derived') return undefined
  const part = parts.find((one) => one.name === name)
  return part === undefined ? undefined : (value) => applied(part.plan, value)
}

/**
 * Reads a resource in the older version, writes back what it knows, and reads again: the older version must see what it
 * saw. Covers operations of one path, of which a GET answers an object and a PUT or PATCH takes members with its names,
 * or any if its params are open. What is written replaces those members of the resource in the next version. One that
 * callers write and the next version does not get is gone there.
 */
export async function roundTrips(
  { operations }: Pick<Adaptation, 'operations'>,
  attacker: Attacker,
  converterOf = derivedConverter,
  isLost = derivedLossOf,
): Promise<readonly RoundTrip[]> {
  const reads = new Map(
    operations
      .filter(({ before }) => before.rest.method === 'GET')
      .map((operation) => [operation.before.rest.path, operation]),
  )
  const found: RoundTrip[] = []
  for (const write of operations) {
    const { method, path } = write.before.rest
    const read = method === 'PUT' || method === 'PATCH' ? reads.get(path) : undefined
    if (read === undefined || (isKept(read, 'result') && isKept(write, 'params'))) continue
    const [back, forth] = [converterOf(read, 'result'), converterOf(write, 'params')]
    if (back === undefined || forth === undefined) continue
    const trip = await tripOf(read, write, { back, forth, isLost: (name) => isLost(write, name) }, attacker)
    if (trip !== undefined) found.push(trip)
  }
  return found
}

function isKept({ parts }: AdaptedOperation, name: 'params' | 'result'): boolean {
  return parts.some((part) => part.name === name && part.kind !== 'written' && part.plan.kind === 'keep')
}

async function tripOf(
  read: AdaptedOperation,
  write: AdaptedOperation,
  { back, forth, isLost }: { back: Converter; forth: Converter; isLost: (name: string) => boolean },
  attacker: Attacker,
): Promise<RoundTrip | undefined> {
  if (read.after === undefined || write.after === undefined) return undefined
  const about = { read: read.name, write: write.name }
  const names = namesIn(write.before)
  const described = namesIn(write.after)
  const isOpen = own(write.before.params as JsonObject, 'additionalProperties') !== false
  const lost = new Set<string>()
  const address = addressOf(write, attacker)
  let cases = 0
  for (const result of attacker.cases('result', read.before, read.after)) {
    const seen = await back(result)
    if (!isObject(result) || !isObject(seen)) continue
    const written = objectOf(Object.entries(seen).filter(([name]) => isOpen || names.has(name)))
    if (Object.keys(written).length === 0) continue
    const sent = { ...address, ...written }
    // What the next version refuses as it is may lose something: the converter says what.
    const mayLose = write.kind === 'written'
    if (mayLose && attacker.refusal('params', write.before, write.after, sent) !== undefined) continue
    const changed = await forth(sent)
    if (changed === undefined) continue
    const received = isObject(changed) ? changed : {}
    const missing = Object.keys(written).filter(
      (name) => described.has(name) && !Object.hasOwn(received, name) && !Object.hasOwn(address, name),
    )
    for (const name of missing) if (isLost(name)) lost.add(name)
    const kept = objectOf(
      Object.entries(result).filter(([name]) => !missing.includes(name) || lost.has(name)),
    )
    const after = await back(replaced(kept, received))
    if (after === undefined) continue
    cases += 1
    if (fingerprint(after) !== fingerprint(seen))
      return { ...about, cases, counterexample: { result, written: sent } }
  }
  return cases === 0 ? undefined : { ...about, cases, ...(lost.size > 0 && { lost: [...lost].sort() }) }
}

function namesIn({ params }: AdaptedOperation['before']): ReadonlySet<string> {
  return new Set(schemaMap(params, 'properties').map(([name]) => name))
}

/** Path parameters of a call: results do not always have them. */
function addressOf({ before, after }: AdaptedOperation, attacker: Attacker): JsonObject {
  const [call] = after === undefined ? [] : attacker.cases('params', before, after)
  const names = before.rest.parameters.flatMap(({ in: place, param }) => (place === 'path' ? [param] : []))
  return isObject(call) ? picked(call, (name) => names.includes(name)) : {}
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
