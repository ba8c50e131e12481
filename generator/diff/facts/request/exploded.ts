import type { Json, JsonObject } from '../../../document/document.js'
import { isObject, own } from '../../../document/json.js'
import { choices } from '../../../document/vocabulary.js'
import { defaultOf } from '../../../schema/defaults/defaults.js'
import { asObject, referenced, type Side } from '../../change/side.js'
import type { Judgement } from '../../decide/judgement.js'
import { schemasOf } from '../../same/discrimination.js'
import { resolve } from '../../same/same.js'
import { listOf } from '../../same/within.js'

/** An object parameter that sends each property as a separate query name. */
export class ExplodedObject {
  /** The schema with its references and `allOf` branches. */
  readonly #parts: readonly JsonObject[]
  /** The branches of each `anyOf` and `oneOf`. */
  readonly #choices: readonly (readonly ExplodedObject[])[]

  /** `around`: the schemas that contain a branch, which apply to the same object. */
  constructor(
    readonly side: Side,
    readonly schema: Json,
    around: ReadonlySet<JsonObject> = new Set(),
  ) {
    const parts = new Set<JsonObject>()
    const waiting: Json[] = [schema]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const part = resolve(side, at)
      if (!isObject(part) || parts.has(part) || around.has(part)) continue
      parts.add(part)
      const target = referenced(side, own(part, '$ref'))
      waiting.push(...listOf(part, 'allOf'), ...(target === undefined ? [] : [target.value]))
    }
    this.#parts = [...parts]
    const inner = new Set([...around, ...parts])
    this.#choices = this.#parts.flatMap((part) =>
      choices.flatMap((keyword) => {
        const branches = listOf(part, keyword)
        return branches.length === 0
          ? []
          : [branches.map((branch) => new ExplodedObject(side, branch, inner))]
      }),
    )
  }

  /** The properties that it requires whichever branches match. */
  get required(): ReadonlySet<string> {
    const inBranches = this.#choices.flatMap(([first, ...others]) =>
      [...(first?.needed ?? [])].filter((name) => others.every((branch) => branch.needed.has(name))),
    )
    return new Set([...this.#own, ...inBranches])
  }

  /** Whether some branch requires a property that others do not. */
  mayRequire(name: string): boolean {
    return this.#choices.flat().some((branch) => branch.needed.has(name) || branch.mayRequire(name))
  }

  /** The required properties of a branch, except those with a default, which validators fill in. */
  get needed(): ReadonlySet<string> {
    return new Set([...this.required].filter((name) => !this.hasDefault(name)))
  }

  get hasBranches(): boolean {
    return this.#choices.length > 0
  }

  /**
   * The schema of a property that callers send. Undefined if no part describes it: by convention callers do not send
   * it.
   */
  member(judgement: Judgement, name: string): Json | undefined {
    return this.#member(judgement, name, (branch) => branch.member(judgement, name))
  }

  /** The schema that a sent property has to match. Undefined if no part describes it. */
  taken(judgement: Judgement, name: string): Json | undefined {
    return this.#member(judgement, name, (branch) => branch.taken(judgement, name) ?? !branch.#isClosed)
  }

  /** Whether a property has a default, which validators may fill in. */
  hasDefault(name: string): boolean {
    return this.#parts.some(
      (part) =>
        defaultOf(schemasOf(this.side), asObject(own(asObject(own(part, 'properties')), name))) !== undefined,
    )
  }

  #member(
    judgement: Judgement,
    name: string,
    ofBranch: (branch: ExplodedObject) => Json | undefined,
  ): Json | undefined {
    const found = this.#parts.flatMap((part) => said(judgement, part, name))
    for (const branches of this.#choices) {
      if (branches.every((branch) => branch.member(judgement, name) === undefined)) continue
      const ways = branches.flatMap((branch) => ofBranch(branch) ?? [])
      found.push(ways.length === 1 ? (ways[0] ?? true) : { anyOf: ways })
    }
    if (found.length === 0) return this.required.has(name) ? true : undefined
    return found.length === 1 ? found[0] : { allOf: found }
  }

  get #own(): readonly string[] {
    return this.#parts.flatMap((part) => listOf(part, 'required').filter((name) => typeof name === 'string'))
  }

  get #isClosed(): boolean {
    return this.#parts.some((part) => own(part, 'additionalProperties') === false)
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
