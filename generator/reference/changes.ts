import { levels, type Protocol } from '../diff/change/change.js'
import type { Model } from '../model/model.js'
import { type Addresses, schemasPage } from './address.js'
import { schemaAnchor } from './fields.js'
import type { VersionChange, VersionChanges } from './neighbours.js'

/** What changed since the version before, as the pages show it. */
export interface Changes {
  readonly summary: object
  /** Undefined where nothing did. */
  readonly of: (operation: string) => PlaceChanges | undefined
  /** What is told of a component that several operations have, or none. */
  readonly ofSchema: (name: string) => PlaceChanges | undefined
}

export interface PlaceChanges {
  readonly since: string
  /** The worst first. */
  readonly changes: readonly ShownChange[]
}

interface ShownChange {
  readonly level: string
  readonly message: string
  /** `REST only`; empty where both protocols have it. */
  readonly protocol: string
}

/** Sorts changes by the operations that they reach and by components; undefined where there is no version before. */
export function changesOf(
  found: VersionChanges | undefined,
  model: Model,
  addresses: Addresses,
): Changes | undefined {
  if (found === undefined) return undefined
  const { since } = found
  const changes = [...found.changes].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
  const operations = new Map(model.operations.map((operation) => [operation.name, operation]))
  const [byOperation, bySchema] = [
    grouped(changes, (change) => change.operations),
    grouped(changes, ({ schema }) => (schema === null ? [] : [schema])),
  ]
  const told = (own: readonly VersionChange[] | undefined): PlaceChanges | undefined =>
    own && { since, changes: own.map(shown) }
  const linked = (name: string): object => {
    const operation = operations.get(name)
    return { name, href: operation && addresses.operation(operation) }
  }
  return {
    summary: {
      since,
      changes: changes.map((change) => {
        const { operations: names, schema } = change
        const isOfSchema = schema !== null && model.schemas.has(schema)
        return {
          ...shown(change),
          operations: names.slice(0, few).map(linked),
          more: Math.max(0, names.length - few),
          others: names.slice(few, most).map(linked),
          unnamed: Math.max(0, names.length - most),
          schema: isOfSchema ? { name: schema, href: `${schemasPage}#${schemaAnchor(schema)}` } : undefined,
        }
      }),
    },
    of: (name) => told(byOperation.get(name)),
    ofSchema: (name) => told(bySchema.get(name)),
  }
}

function grouped(
  changes: readonly VersionChange[],
  namesOf: (change: VersionChange) => readonly string[],
): Map<string, VersionChange[]> {
  const found = new Map<string, VersionChange[]>()
  for (const change of changes)
    for (const name of namesOf(change)) {
      const group = found.get(name)
      if (group === undefined) found.set(name, [change])
      else group.push(change)
    }
  return found
}

/** Operations that one line of the index names at once; the others are a press away. */
const few = 3
/** More than this a line does not name: each shows its changes itself. */
const most = 100

function shown({ level, message, protocols }: VersionChange): ShownChange {
  return { level, message, protocol: protocols.length === 1 ? `${only[protocols[0] ?? 'rest']} only` : '' }
}

const only: Readonly<Record<Protocol, string>> = { rest: 'REST', jsonrpc: 'JSON-RPC' }
