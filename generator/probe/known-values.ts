import type { ParameterBinding } from 'duet-runtime'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import type { Operation } from '../model/model.js'
import type { Random } from '../samples/random.js'
import type { TestData } from './test-data.js'

/**
 * Values of params that exist on the server: those of the data file, and the ids in results of other operations. They stay in
 * memory.
 */
export class KnownValues {
  /** Values by the path of the operation that returned their object, and by the name of the member. */
  readonly #seen = new Map<string, Map<string, Set<string | number>>>()

  constructor(readonly data: TestData) {}

  /** Remembers the ids and names in a result. */
  learn({ rest: { path } }: Operation, result: Json): void {
    const members = this.#seen.get(path) ?? new Map<string, Set<string | number>>()
    this.#seen.set(path, members)
    const visit = (value: Json, depth: number): void => {
      if (depth > deepest) return
      if (isArray(value)) for (const item of endsOf(value)) visit(item, depth)
      if (!isObject(value)) return
      for (const [name, member] of Object.entries(value)) {
        if (typeof member === 'object') visit(member, depth + 1)
        else if ((typeof member === 'string' && member !== '') || typeof member === 'number') {
          const values = members.get(name) ?? new Set()
          members.set(name, values)
          if (values.size < mostItems) values.add(member)
        }
      }
    }
    visit(result, 0)
  }

  /** Variants of params with values that exist: first those of the data file, then those of results. */
  variants(operation: Operation, params: JsonObject): JsonObject[] {
    const given = objectOf([...Object.entries(params), ...Object.entries(this.stated(operation))])
    const learned = this.#learned(operation)
    const count = Math.min(mostVariants, longestOf(learned))
    return [...Array.from({ length: count }, (_, index) => withValues(given, learned, index)), given]
  }

  /** Accepted params with other values that exist: the last ones, and some that the seed chooses. */
  others(operation: Operation, accepted: JsonObject, random: Random): JsonObject[] {
    const learned = this.#learned(operation)
    const last = longestOf(learned) - 1
    if (last < 1) return []
    const same = JSON.stringify(accepted)
    const found = [last, random.integer(Math.min(1, last - 1), last - 1), 0].map((index) =>
      withValues(accepted, learned, index),
    )
    return [...new Map(found.map((one) => [JSON.stringify(one), one]))]
      .filter(([text]) => text !== same)
      .map(([, one]) => one)
      .slice(0, mostOthers)
  }

  /** The values of results for each param of the path that the data file has no value for. */
  #learned(operation: Operation): Learned {
    const stated = this.stated(operation)
    return operation.rest.parameters
      .filter(({ in: where, param }) => where === 'path' && !Object.hasOwn(stated, param))
      .map((binding) => [binding.param, [...new Set(this.#candidates(operation, binding))]])
  }

  /** The values that the data file has for an operation. */
  stated(operation: Operation): JsonObject {
    const own = this.data.operations.get(operation.name)?.params ?? {}
    const names = new Set([
      ...operation.rest.parameters.map(({ param }) => param),
      ...Object.keys((operation.params.properties as JsonObject | undefined) ?? {}),
    ])
    const shared = Object.entries(this.data.params).filter(([name]) => names.has(name))
    return objectOf([...shared, ...Object.entries(own)])
  }

  /** `/clients/{id}`: the member `id` of what `/clients` returns. `/invoices/{clientId}`: the `id` of clients. */
  #candidates(
    { rest: { path } }: Operation,
    { name, param }: ParameterBinding,
  ): readonly (string | number)[] {
    const before = path.slice(0, path.indexOf(`{${name}}`)).replace(/\/+$/, '')
    const near = this.#membersOf((other) => other === before || other.startsWith(`${before}/`))
    const bare = name.replace(/[_-]?(id|name|key|uuid)$/i, '').toLowerCase()
    const end = name.slice(bare.length).replace(/^[_-]/, '').toLowerCase()
    const same = bare === '' ? [] : this.#membersOf((other) => resourceOf(other).startsWith(bare))
    const all = this.#membersOf(() => true)
    const wanted = [name, param, ...(end === '' ? [] : [end]), 'id']
    return [
      ...wanted.flatMap((member) => near.flatMap((members) => [...(members.get(member) ?? [])])),
      ...(end === '' ? [] : same.flatMap((members) => [...(members.get(end) ?? [])])),
      ...(name === 'id' ? [] : all.flatMap((members) => [...(members.get(name) ?? [])])),
    ]
  }

  #membersOf(isWanted: (path: string) => boolean): Map<string, Set<string | number>>[] {
    return [...this.#seen].flatMap(([path, members]) => (isWanted(path) ? [members] : []))
  }
}

type Learned = readonly (readonly [param: string, values: readonly (string | number)[]])[]

function longestOf(learned: Learned): number {
  return Math.max(0, ...learned.map(([, values]) => values.length))
}

function withValues(params: JsonObject, learned: Learned, index: number): JsonObject {
  return objectOf([
    ...Object.entries(params),
    ...learned.flatMap(([param, values]): [string, Json][] => {
      const value = values[Math.min(index, values.length - 1)]
      return value === undefined ? [] : [[param, value]]
    }),
  ])
}

/** The first items of a list and its last one. */
function endsOf(items: readonly Json[]): readonly Json[] {
  return items.length <= mostItems ? items : [...items.slice(0, mostItems - 1), ...items.slice(-1)]
}

/** The last part of a path that is no variable, in lower case. */
function resourceOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  return (parts.at(-1) ?? '').toLowerCase()
}

const deepest = 3
const mostItems = 20
const mostVariants = 3
const mostOthers = 2
