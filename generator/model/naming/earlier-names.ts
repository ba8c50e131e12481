import type { EarlierName } from './naming.js'
import { type NameSource, namePattern, reserved } from './source.js'

/** Finds the earlier name of an operation. */
export class EarlierNames {
  readonly #byPath = new Map<string, string>()
  readonly #byId = new Map<string, string>()
  readonly #made = new Map<string, string>()

  constructor(earlier: readonly EarlierName[]) {
    for (const one of earlier) {
      const { name, method, path, operationId } = one
      this.#byPath.set(place(method, path), name)
      if (operationId !== undefined) this.#byId.set(operationId, name)
      if (one.stated !== true) this.#made.set(JSON.stringify([method.toLowerCase(), path, operationId]), name)
    }
  }

  /** The name that this operation got, by whatever rules. */
  madeFor({ verb, path, route = path, operationId }: NameSource): string | undefined {
    // Operations that share a path are told apart by their ids.
    const known = operationId === undefined ? path : route
    const name = this.#made.get(JSON.stringify([verb, known, operationId])) ?? ''
    return namePattern.test(name) && !reserved.has(name.split('.')[0] ?? '') ? name : undefined
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
