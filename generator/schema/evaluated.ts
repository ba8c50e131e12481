import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { type Schema, schemaList, schemaMap } from './schema.js'
import { both, either, negated, some, type Verdict } from './verdict.js'

/** How to judge other schemas and values, within one question. */
export interface Judge {
  /** Whether a value satisfies a schema. */
  of(schema: Json, value: Json): Verdict
  /** The target of a `$ref`. Undefined if there is none. */
  target(reference: Json | undefined): Json | undefined
  /** The verdict of a step. Undefined after too many steps, or at too deep a one. */
  bounded(step: () => Verdict): Verdict
}

/** Whether a schema evaluates a member or an item of a value that it accepts (2020-12, core, section 11). */
export function evaluates(schema: JsonObject, value: Json, key: string | number, judge: Judge): Verdict {
  const within = (part: Json | undefined): Verdict =>
    judge.bounded(() => {
      if (!isObject(part)) return false
      const unevaluated = typeof key === 'string' ? 'unevaluatedProperties' : 'unevaluatedItems'
      return Object.hasOwn(part, unevaluated) || evaluates(part, value, key, judge)
    })
  const ifAccepting = (part: Schema): Verdict => both(judge.of(part, value), () => within(part))
  const condition = own(schema, 'if')
  const holds = condition === undefined ? undefined : judge.of(condition, value)
  const sources: (() => Verdict)[] = [
    () => (typeof key === 'string' ? isDeclared(schema, key) : isPlaced(schema, value, key, judge)),
    () => within(judge.target(own(schema, '$ref'))),
    () => some(schemaList(schema, 'allOf'), within),
    ...choices.map((keyword) => () => some(schemaList(schema, keyword), ifAccepting)),
    () =>
      some(schemaMap(schema, 'dependentSchemas'), ([name, part]) =>
        both(isObject(value) && Object.hasOwn(value, name), () => within(part)),
      ),
  ]
  if (condition !== undefined)
    sources.push(
      () => both(holds, () => within(condition)),
      () => both(holds, () => within(own(schema, 'then'))),
      () => both(negated(holds), () => within(own(schema, 'else'))),
    )
  if (Object.hasOwn(schema, '$dynamicRef')) sources.push(() => undefined)
  return some(sources, (source) => source())
}

/** Whether `properties` or `patternProperties` has a schema for a name. */
export function isListed(schema: JsonObject, name: string): Verdict {
  const properties = own(schema, 'properties')
  if (isObject(properties) && Object.hasOwn(properties, name)) return true
  return some(schemaMap(schema, 'patternProperties'), ([pattern]) => patternMatches(pattern, name))
}

function isDeclared(schema: JsonObject, name: string): Verdict {
  return either(Object.hasOwn(schema, 'additionalProperties'), () => isListed(schema, name))
}

function isPlaced(schema: JsonObject, value: Json, index: number, judge: Judge): Verdict {
  if (Object.hasOwn(schema, 'items') || index < schemaList(schema, 'prefixItems').length) return true
  const wanted = own(schema, 'contains')
  return wanted !== undefined && isArray(value) && judge.of(wanted, value[index] ?? null)
}
