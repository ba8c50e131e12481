import { levels } from '../diff/change/level.js'
import { asSentence, onlyText } from '../diff/report/words.js'
import { addToGroup } from '../document/grouping.js'
import type { Model } from '../model/model.js'
import type { Addresses } from './address.js'
import type { VersionChange, VersionChanges } from './neighbours.js'

/** The changes since the previous version, for the pages. */
export interface Changes {
  readonly summary: object
  /** Undefined if there are none. */
  readonly of: (operation: string) => PlaceChanges | undefined
  /** Changes of a component that several operations use, or none. */
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
  /** `REST only`. Empty if both protocols are affected. */
  readonly protocol: string
}

/** Groups changes by the operations and components that they affect. Undefined without a previous version. */
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
  const placeChanges = (own: readonly VersionChange[] | undefined): PlaceChanges | undefined =>
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
          operations: names.slice(0, namesAtOnce).map(linked),
          more: Math.max(0, names.length - namesAtOnce),
          others: names.slice(namesAtOnce, mostNames).map(linked),
          unnamed: Math.max(0, names.length - mostNames),
          schema: isOfSchema ? { name: schema, href: addresses.schema(schema) } : undefined,
        }
      }),
    },
    of: (name) => placeChanges(byOperation.get(name)),
    ofSchema: (name) => placeChanges(bySchema.get(name)),
  }
}

function grouped(
  changes: readonly VersionChange[],
  namesOf: (change: VersionChange) => readonly string[],
): Map<string, VersionChange[]> {
  const found = new Map<string, VersionChange[]>()
  for (const change of changes) for (const name of namesOf(change)) addToGroup(found, name, change)
  return found
}

/** How many operations a line of the index shows at once. A click shows the others. */
const namesAtOnce = 3
/** How many operations a line names at most. The page of each operation shows its changes as well. */
const mostNames = 100

function shown({ level, message, protocols }: VersionChange): ShownChange {
  return {
    level,
    message: asSentence(message),
    protocol: onlyText({ protocols }) ?? '',
  }
}
