import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import type { Model } from '../../model/model.js'
import { fingerprint } from '../../schema/canonical.js'
import { type InstancePosition, positionsOf } from '../../schema/instance-positions.js'
import type { Schema } from '../../schema/schema.js'

/** Two schemas of one part, and members of the sender that have other names in the receiver. */
export interface SchemaPair {
  readonly sent: Schema
  readonly received: Schema
  readonly renamed: ReadonlyMap<string, string>
}

/**
 * The receiver's enum for each enum of the sender, where the same members lead to both. An enum that meets several, or a
 * value without an enum, has none.
 */
export function pairedEnums(
  sender: Model,
  receiver: Model,
  pairs: Iterable<SchemaPair>,
): ReadonlyMap<JsonObject, JsonObject> {
  const found = new Map<JsonObject, JsonObject | undefined>()
  for (const { sent, received, renamed } of pairs) {
    const [from, to] = [
      positionsOf(sender.schemas, sent, isEnum),
      positionsOf(receiver.schemas, received, isEnum),
    ]
    const seen = new Set<string>()
    const waiting: [ours: number | undefined, theirs: number | undefined][] = [[0, 0]]
    for (const [ours, theirs] of waiting) {
      const [one, other] = [from[ours ?? -1], to[theirs ?? -1]]
      const key = `${ours} ${theirs}`
      if (one === undefined || other === undefined || seen.has(key)) continue
      seen.add(key)
      note(found, one, other)
      const names = ours === 0 ? renamed : none
      for (const [name, index] of one.properties)
        waiting.push([index, other.properties.get(names.get(name) ?? name) ?? other.values])
      waiting.push([one.items, other.items], [one.values, other.values])
    }
  }
  return new Map([...found].flatMap(([part, other]) => (other === undefined ? [] : [[part, other]])))
}

function note(
  found: Map<JsonObject, JsonObject | undefined>,
  one: InstancePosition,
  other: InstancePosition,
): void {
  const [known, ...more] = other.parts.filter(isEnum)
  for (const part of one.parts.filter(isEnum)) {
    const before = found.get(part)
    const isOther =
      found.has(part) && (before === undefined || known === undefined || listOf(before) !== listOf(known))
    found.set(part, more.length > 0 || isOther ? undefined : known)
  }
}

const none: ReadonlyMap<string, string> = new Map()

function isEnum(part: JsonObject): boolean {
  return Object.hasOwn(part, 'enum') || Object.hasOwn(part, 'const')
}

function listOf(part: JsonObject): string {
  return fingerprint(own(part, 'enum') ?? [own(part, 'const') ?? null])
}
