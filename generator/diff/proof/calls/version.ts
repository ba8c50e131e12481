import type { Model, Operation } from '../../../model/model.js'
import type { Service } from './service.js'

/** One version: its operations, and a service that is loaded for the first call. */
export class Version {
  readonly #operations: ReadonlyMap<string, Operation>
  #service: Service | undefined

  constructor(readonly model: Model) {
    this.#operations = new Map(model.operations.map((operation) => [operation.name, operation]))
  }

  operation(name: string): Operation | undefined {
    return this.#operations.get(name)
  }

  /** Loads the runtime and the validator generator, which a review without calls does not need. */
  async service(): Promise<Service> {
    const { Service } = await import('./service.js')
    this.#service ??= new Service(this.model)
    return this.#service
  }
}
