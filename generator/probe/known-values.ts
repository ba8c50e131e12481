import type { ParameterBinding } from 'duet-runtime'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import type { Operation } from '../model/model.js'
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
      if (isArray(value)) for (const item of value.slice(0, mostItems)) visit(item, depth)
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
    const stated = this.stated(operation)
    const given = objectOf([...Object.entries(params), ...Object.entries(stated)])
    const paths = operation.rest.parameters.filter(
      ({ in: where, param }) => where === 'path' && !Object.hasOwn(stated, param),
    )
    const learned = paths.map((binding) => [binding, this.#candidates(operation, binding)] as const)
    const count = Math.min(mostVariants, Math.max(0, ...learned.map(([, values]) => values.length)))
    const variants = Array.from({ length: count }, (_, index) =>
      objectOf([
        ...Object.entries(given),
        ...learned.flatMap(([{ param }, values]): [string, Json][] => {
          const value = values[Math.min(index, values.length - 1)]
          return value === undefined ? [] : [[param, value]]
        }),
      ]),
    )
    return [...variants, given]
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

/** The last part of a path that is no variable, in lower case. */
function resourceOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  return (parts.at(-1) ?? '').toLowerCase()
}

const deepest = 3
const mostItems = 20
const mostVariants = 3
