import { isObject } from '../document/json.js'
import { inPlaceKeywords } from '../document/vocabulary.js'
import { inRings } from './graphs.js'
import { referenceOf, type Schema, subschemas } from './schema.js'

/** Which component schemas refer to which others in place. */
export class InPlaceGraph {
  /** Targets of each component, filled on demand. */
  readonly #targets = new Map<string, readonly string[]>()

  constructor(readonly schemas: Map<string, Schema>) {}

  /** Replaces the schema of a component. */
  set(name: string, schema: Schema): void {
    this.schemas.set(name, schema)
    this.#targets.delete(name)
  }

  /** Names of the components that lead back to themselves, in the order of the schemas. */
  circular(): string[] {
    const circular = inRings(this.schemas.keys(), (name) => this.#targetsOf(name))
    return [...this.schemas.keys()].filter((name) => circular.has(name))
  }

  /** Whether a chain of one or more references leads from a component to another, or to itself. */
  leadsTo(from: string, target: string): boolean {
    const found = new Set(this.#targetsOf(from))
    for (const name of found) {
      if (name === target) return true
      for (const next of this.#targetsOf(name)) found.add(next)
    }
    return false
  }

  #targetsOf(name: string): readonly string[] {
    const known = this.#targets.get(name)
    if (known !== undefined) return known
    const found = new Set<string>()
    const visit = (schema: Schema): void => {
      if (!isObject(schema)) return
      const target = referenceOf(schema)
      if (target !== undefined) found.add(target)
      for (const part of subschemas(schema)) if (inPlaceKeywords.has(part.keyword)) visit(part.schema)
    }
    visit(this.schemas.get(name) ?? true)
    const targets = [...found]
    this.#targets.set(name, targets)
    return targets
  }
}
