import type { EarlierName } from './naming.js'
import { type NameSource, namePattern, reserved } from './source.js'

/** Finds the earlier name of an operation. */
export class EarlierNames {
  readonly #byPath = new Map<string, string>()
  readonly #byId = new Map<string, string>()
  readonly #made = new Map<string, EarlierName>()

  constructor(earlier: readonly EarlierName[]) {
    for (const one of earlier) {
      const { name, method, path, operationId } = one
      this.#byPath.set(place(method, path), name)
      if (operationId !== undefined) this.#byId.set(operationId, name)
      if (one.stated !== true) this.#made.set(`${method.toLowerCase()} ${path}`, one)
    }
  }

  /** The name that this operation got, by whatever rules. */
  madeFor({ verb, path, operationId }: NameSource): string | undefined {
    const { name = '', operationId: earlierId } = this.#made.get(`${verb} ${path}`) ?? {}
    const isValid = namePattern.test(name) && !reserved.has(name.split('.')[0] ?? '')
    return isValid && earlierId === operationId ? name : undefined
  }

  /** By method and path. The names of path parameters do not matter. */
  byPath({ verb, path }: NameSource): string | undefined {
    return this.#byPath.get(place(verb, path))
  }

  /** By operationId, for an operation that has moved to another path. */
  byId({ operationId }: NameSource): string | undefined {
    return operationId === undefined ? undefined : this.#byId.get(operationId)
  }
}

function place(method: string, path: string): string {
  return `${method.toLowerCase()} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`
}
