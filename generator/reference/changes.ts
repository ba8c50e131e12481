import { levels, type Protocol } from '../diff/change.js'
import type { Model } from '../model/model.js'
import type { Addresses } from './address.js'
import type { VersionChange, VersionChanges } from './neighbours.js'

/** What changed since the version before, as the pages show it. */
export interface Changes {
  readonly summary: object
  /** Undefined where nothing did. */
  readonly of: (operation: string) => OperationChanges | undefined
}

export interface OperationChanges {
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

/** Sorts changes by the operations that they reach; undefined where there is no version before. */
export function changesOf(
  found: VersionChanges | undefined,
  model: Model,
  addresses: Addresses,
): Changes | undefined {
  if (found === undefined) return undefined
  const { since } = found
  const changes = [...found.changes].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
  const operations = new Map(model.operations.map((operation) => [operation.name, operation]))
  const byOperation = new Map<string, VersionChange[]>()
  for (const change of changes)
    for (const name of change.operations) byOperation.set(name, [...(byOperation.get(name) ?? []), change])
  const linked = (name: string): object => {
    const operation = operations.get(name)
    return { name, href: operation && addresses.operation(operation) }
  }
  return {
    summary: {
      since,
      changes: changes.map((change) => {
        const { operations: names } = change
        return {
          ...shown(change),
          operations: names.slice(0, few).map(linked),
          more: names.length > few ? names.length - few : undefined,
        }
      }),
    },
    of: (name) => {
      const own = byOperation.get(name)
      return own && { since, changes: own.map(shown) }
    },
  }
}

/** Operations that one line of the index names; each shows its changes itself. */
const few = 3

function shown({ level, message, protocols }: VersionChange): ShownChange {
  return { level, message, protocol: protocols.length === 1 ? `${only[protocols[0] ?? 'rest']} only` : '' }
}

const only: Readonly<Record<Protocol, string>> = { rest: 'REST', jsonrpc: 'JSON-RPC' }
