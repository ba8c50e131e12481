import type { EarlierName } from './naming.js'
import type { NameSource } from './source.js'

/** Finds the earlier name of an operation. */
export class EarlierNames {
  readonly #byPath = new Map<string, string>()
  readonly #byId = new Map<string, string>()

  constructor(earlier: readonly EarlierName[]) {
    for (const { name, method, path, operationId } of earlier) {
      this.#byPath.set(place(method, path), name)
      if (operationId !== undefined) this.#byId.set(operationId, name)
    }
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
