import type { Json, JsonObject } from '../../load/document.js'
import { isObject, own } from '../../load/json.js'
import type { Judgement } from '../decide/judgement.js'
import { resolve } from '../schema/same.js'
import { listOf } from '../schema/within.js'
import { asObject, referenced, type Side } from '../side.js'

/** An object parameter that sends each property as a separate query name. */
export class ExplodedObject {
  /** The schema with its references and `allOf` branches. */
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

  /** Names of its required properties. */
  get required(): ReadonlySet<string> {
    return new Set(
      this.#parts.flatMap((part) => listOf(part, 'required').filter((name) => typeof name === 'string')),
    )
  }

  /** The schema of a property. Undefined if no part describes it: by convention callers do not send it. */
  member(judgement: Judgement, name: string): Json | undefined {
    const found = this.#parts.flatMap((part) => said(judgement, part, name))
    if (found.length === 0) return this.required.has(name) ? true : undefined
    return found.length === 1 ? found[0] : { allOf: found }
  }

  /** Whether a property has a default, which validators may fill in. */
  hasDefault(name: string): boolean {
    return this.#parts.some(
      (part) => own(asObject(own(asObject(own(part, 'properties')), name)), 'default') !== undefined,
    )
  }
}

/** The schemas that one part has for a property. */
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
