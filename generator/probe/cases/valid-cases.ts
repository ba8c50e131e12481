import type { Validator } from 'duet-runtime'
import type { VersionReading } from '../../adapt/version-reading.js'
import type { Json, JsonObject } from '../../document/document.js'
import { clone, isArray, isObject, own } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import { withoutOptional } from '../../samples/example-call.js'
import { withExamples } from '../../samples/sample-calls.js'
import type { Sampler } from '../../samples/sampler.js'
import { runtimeOperation } from '../../samples/sent-request.js'
import { validSample } from '../../samples/valid-sample.js'
import { requiredOf } from '../../schema/schema.js'
import { pathText, sitesOf, valueIn, withoutMember, withValue } from '../schema-site.js'
import type { Case } from './case.js'

/**
 * Params to begin with, the likeliest to succeed first: examples of the document, samples without optional params, and one with everything.
 *
 * @param openapi the bundled document, which has the examples
 */
export function firstCases(
  operation: Operation,
  sampler: Sampler,
  accepts: Validator,
  openapi: Json,
  seed: string,
): JsonObject[] {
  const isValid = (value: Json): value is JsonObject => isObject(value) && accepts(clone(value))
  const sample = validSample(sampler, operation.params, accepts, `${seed} ${operation.name}`)
  const whole = 'value' in sample && isObject(sample.value) ? sample.value : undefined
  const lean = whole && withoutOptional(operation, whole)
  const shown = lean && withExamples(lean, runtimeOperation(operation), openapi)
  const isShown = JSON.stringify(shown) !== JSON.stringify(lean)
  const sampling = { seed: `${seed} ${operation.name}`, refused: new Map<string, number>(), lean: true }
  const found = [
    ...operation.examples.flatMap(({ params }) => params ?? []),
    ...(shown !== undefined && isShown ? [shown] : []),
    sampler.sample(operation.params, sampling),
    ...(whole === undefined ? [] : [leastBody(operation, whole, isValid)]),
    ...(lean === undefined ? [] : [lean]),
    ...(whole === undefined ? [] : [whole]),
  ]
  return [...new Map(found.filter(isValid).map((params) => [JSON.stringify(params), params])).values()]
}

/** Params with as few fields of the body as their schema accepts, but one at least. An optional body is missing in lean samples. */
function leastBody(
  { rest: { parameters } }: Operation,
  whole: JsonObject,
  isValid: (params: Json) => boolean,
): JsonObject {
  const elsewhere = new Set(parameters.map(({ param }) => param))
  let least = whole
  for (const name of Object.keys(whole)) {
    const fewer = withoutMember(least, [name])
    if (fewer === undefined || !isObject(fewer) || !isValid(fewer)) continue
    if (elsewhere.has(name) || Object.keys(fewer).some((other) => !elsewhere.has(other))) least = fewer
  }
  return least
}

/**
 * Calls that differ from an accepted one in one place: a value at a bound that the document states, a member of an enum,
 * an optional member that is missing. The path is left as it is: other values there name other things.
 */
export function edgeCases(
  reading: VersionReading,
  { params, rest }: Operation,
  base: JsonObject,
  accepts: Validator,
): Case[] {
  const inPath = new Set(rest.parameters.flatMap(({ in: where, param }) => (where === 'path' ? [param] : [])))
  const found: Case[] = []
  const add = (value: Json | undefined, way: readonly string[], what: string): void => {
    if (value === undefined || !isObject(value) || !accepts(clone(value))) return
    found.push({ kind: 'valid', params: value, way, what, isEdge: true })
  }
  for (const { way, schema } of sitesOf(reading, params)) {
    const [param] = way
    if (param === undefined || inPath.has(param)) continue
    for (const value of edgesOf(schema)) {
      if (JSON.stringify(valueIn(base, way)) === JSON.stringify(value)) continue
      add(withValue(base, way, value), way, `with ${pathText(way)} ${shortly(value)}`)
    }
    const required = new Set(requiredOf(schema))
    const known = valueIn(base, way)
    for (const name of isObject(known ?? null) ? Object.keys(known as JsonObject) : [])
      if (!required.has(name))
        add(withoutMember(base, [...way, name]), [...way, name], `without ${pathText([...way, name])}`)
  }
  return found
}

/** Values at the bounds that a schema states. */
function edgesOf(schema: JsonObject): readonly Json[] {
  const types = [own(schema, 'type') ?? []].flat()
  const members = own(schema, 'enum')
  if (isArray(members)) return members.slice(0, mostMembers)
  if (types.includes('boolean')) return [true, false]
  // A double rounds larger ones, so that they would lie beyond the bound that the document states.
  const bounds = ['minimum', 'maximum'].flatMap((keyword) => own(schema, keyword) ?? [])
  const numbers = bounds.filter((bound) => Math.abs(Number(bound)) <= Number.MAX_SAFE_INTEGER)
  const lengths = ['minLength', 'maxLength'].flatMap((keyword) => own(schema, keyword) ?? [])
  const isPlain = !Object.hasOwn(schema, 'pattern') && !Object.hasOwn(schema, 'format')
  const texts = lengths.flatMap((length) =>
    isPlain && typeof length === 'number' && length > 0 && length <= longest ? ['x'.repeat(length)] : [],
  )
  const isList = types.includes('array') && own(schema, 'minItems') === 0
  return [...numbers, ...texts, ...(isList ? [[]] : []), ...(types.includes('null') ? [null] : [])]
}

const mostMembers = 12

/** Characters of the longest text. */
const longest = 2000

function shortly(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}
