import type { EarlierName } from './naming.js'
import type { NameSource } from './source.js'

/** What operations were called. */
export class EarlierNames {
  readonly #byPath = new Map<string, string>()
  readonly #byId = new Map<string, string>()

  constructor(earlier: readonly EarlierName[]) {
    for (const { name, method, path, operationId } of earlier) {
      this.#byPath.set(place(method, path), name)
      if (operationId !== undefined) this.#byId.set(operationId, name)
    }
  }

  /** By method and path, whatever the path's parameters are called. */
  byPath({ verb, path }: NameSource): string | undefined {
    return this.#byPath.get(place(verb, path))
  }

  /** Of an operation that has another path now. */
  byId({ operationId }: NameSource): string | undefined {
    return operationId === undefined ? undefined : this.#byId.get(operationId)
  }
}

function place(method: string, path: string): string {
  return `${method.toLowerCase()} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`
}
