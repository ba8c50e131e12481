import { isObject } from '../document/json.js'
import { inPlaceKeywords } from '../document/vocabulary.js'
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
    const groups = this.#groups()
    const sizes = new Map<number, number>()
    for (const group of groups.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1)
    return [...this.schemas.keys()].filter(
      (name) => (sizes.get(groups.get(name) ?? 0) ?? 0) > 1 || this.#targetsOf(name).includes(name),
    )
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

  /** A number per component, equal for components that lead to each other (Tarjan 1972, without recursion). */
  #groups(): ReadonlyMap<string, number> {
    const groups = new Map<string, number>()
    const low = new Map<string, number>()
    const open: string[] = []
    for (const start of this.schemas.keys()) {
      if (low.has(start)) continue
      const trail: Step[] = []
      const enter = (name: string): void => {
        trail.push({ name, index: low.size, rest: this.#targetsOf(name)[Symbol.iterator]() })
        low.set(name, low.size)
        open.push(name)
      }
      enter(start)
      for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
        const { name, index, rest } = step
        const { done, value } = rest.next()
        if (done !== true) {
          if (!low.has(value)) enter(value)
          else if (!groups.has(value)) low.set(name, Math.min(low.get(name) ?? 0, low.get(value) ?? 0))
          continue
        }
        trail.pop()
        const least = low.get(name) ?? 0
        const above = trail.at(-1)?.name
        if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, least))
        if (least === index) {
          for (let member = open.pop(); member !== undefined; member = open.pop()) {
            groups.set(member, index)
            if (member === name) break
          }
        }
      }
    }
    return groups
  }
}

interface Step {
  readonly name: string
  readonly index: number
  /** The targets that are not visited yet. */
  readonly rest: Iterator<string, undefined>
}
