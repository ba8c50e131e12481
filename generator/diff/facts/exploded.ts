import type { Json, JsonObject } from '../../load/document.js'
import { isObject, own } from '../../load/json.js'
import type { Judgement } from '../decide/judgement.js'
import { resolve } from '../schema/same.js'
import { listOf } from '../schema/within.js'
import { asObject, referenced, type Side } from '../side.js'

/** An object parameter of one version, of which each member is a query name of its own. */
export class ExplodedObject {
  /** What holds of its values: the schema, and what it takes in by reference and `allOf`. */
  readonly #parts: readonly JsonObject[]

  constructor(
    readonly side: Side,
    readonly schema: Json,
  ) {
    const parts = new Set<JsonObject>()
    const waiting: Json[] = [schema]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const part = resolve(side, at)
      if (!isObject(part) || parts.has(part)) continue
      parts.add(part)
      const target = referenced(side, own(part, '$ref'))
      waiting.push(...listOf(part, 'allOf'), ...(target === undefined ? [] : [target.value]))
    }
    this.#parts = [...parts]
  }

  /** Names of the members that it asks for. */
  get required(): ReadonlySet<string> {
    return new Set(
      this.#parts.flatMap((part) => listOf(part, 'required').filter((name) => typeof name === 'string')),
    )
  }

  /** The schema of a member. Undefined where it says nothing of that: by convention nobody sends one. */
  member(judgement: Judgement, name: string): Json | undefined {
    const found = this.#parts.flatMap((part) => said(judgement, part, name))
    if (found.length === 0) return this.required.has(name) ? true : undefined
    return found.length === 1 ? found[0] : { allOf: found }
  }

  /** Whether a member that it asks for has a default, which may be filled in. */
  hasDefault(name: string): boolean {
    return this.#parts.some(
      (part) => own(asObject(own(asObject(own(part, 'properties')), name)), 'default') !== undefined,
    )
  }
}

/** What one part says of a member. */
function said(judgement: Judgement, part: JsonObject, name: string): Json[] {
  const property = own(asObject(own(part, 'properties')), name)
  const patterns = Object.entries(asObject(own(part, 'patternProperties')))
  const matching = patterns.flatMap(([pattern, schema]) =>
    judgement.isContained('request', { const: name }, { pattern }) ? [schema] : [],
  )
  const named = property === undefined ? matching : [property, ...matching]
  const additional = own(part, 'additionalProperties')
  return named.length === 0 && isObject(additional) ? [additional] : named
}
