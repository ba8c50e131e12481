import { duplicate, equal, isMultipleOf, ucs2length } from 'duet-runtime/validation'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { type KeywordWith, keywordNamed, unknownKeywords } from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { evaluates, isListed, type Judge } from './evaluated.js'
import { fitsFormat } from './format.js'
import { schemaList } from './schema.js'
import { counted, either, every, negated, some, type Verdict } from './verdict.js'

/** The target of a `$ref`. Undefined if there is none. */
export type ResolveReference = (reference: string) => Json | undefined

/**
 * Whether a JSON Schema 2020-12 certainly refuses a value, such as its default: what generated validators do. False
 * if that is not decided, because a reference leads nowhere or is dynamic, a pattern does not end, or schemas nest too
 * deep.
 */
export function refuses(schema: Json, value: Json, resolve: ResolveReference): boolean {
  let [depth, steps] = [0, 0]
  const judge: Judge = {
    of(part, at) {
      if (typeof part === 'boolean') return part
      return !isObject(part) || judge.bounded(() => verdictOf(part, at, judge))
    },
    target: (reference) => (typeof reference === 'string' ? resolve(reference) : undefined),
    bounded(step) {
      steps += 1
      if (depth >= deepest || steps > mostSteps) return undefined
      depth += 1
      const verdict = step()
      depth -= 1
      return verdict
    },
  }
  return judge.of(schema, value) === false
}

const deepest = 100
const mostSteps = 100_000

function verdictOf(schema: JsonObject, value: Json, judge: Judge): Verdict {
  const above = { schema, judge }
  return every(Object.keys(schema), (keyword) => {
    if (undecided.has(keyword)) return undefined
    const argument = schema[keyword] ?? null
    const verdict = ask(onAny, keyword, argument, value, above)
    if (verdict !== true) return verdict
    if (typeof value === 'number') return ask(onNumbers, keyword, argument, value, above)
    if (typeof value === 'string') return ask(onTexts, keyword, argument, value, above)
    if (isArray(value)) return ask(onArrays, keyword, argument, value, above)
    return !isObject(value) || ask(onObjects, keyword, argument, value, above)
  })
}

interface Above {
  readonly schema: JsonObject
  readonly judge: Judge
}

/** What a keyword says about a value. A malformed argument says nothing. */
type Test<Value extends Json> = (argument: Json, value: Value, above: Above) => Verdict
type Tests<Keyword extends string, Value extends Json> = Readonly<Record<Keyword, Test<Value>>>

function ask<Value extends Json>(
  tests: Readonly<Record<string, Test<Value>>>,
  keyword: string,
  argument: Json,
  value: Value,
  above: Above,
): Verdict {
  const test = Object.hasOwn(tests, keyword) ? tests[keyword] : undefined
  return test === undefined || test(argument, value, above)
}

/** The keywords that validators check. Of a group, the first ones read those that say nothing without them. */
type Checked = Exclude<
  KeywordWith<{ role: 'reference' | 'assertion' | 'in-place' | 'child' }>,
  KeywordWith<{ outdated: string }> | KeywordWith<{ upgraded: true }> | KeywordWith<{ isDependent: true }>
>
type CheckedOf<Type extends string> = Extract<Checked, KeywordWith<{ of: Type }>>

const onAny: Tests<Exclude<Checked, KeywordWith<{ of: string }>> | 'format', Json> = {
  $ref(reference, value, { judge }) {
    const target = judge.target(reference)
    return target === undefined ? undefined : judge.of(target, value)
  },
  $dynamicRef: () => undefined,
  type: (types, value) => (isArray(types) ? types : [types]).some((type) => isOfType(type, value)),
  const: (constant, value) => equal(constant, value),
  enum: (values, value) => !isArray(values) || values.some((one) => equal(one, value)),
  format: (format, value, { schema }) =>
    typeof format !== 'string' || fitsFormat(value, format, own(schema, 'x-timezone') === true),
  allOf: (parts, value, { judge }) => !isArray(parts) || every(parts, (part) => judge.of(part, value)),
  anyOf: (parts, value, { judge }) => !isFilled(parts) || some(parts, (part) => judge.of(part, value)),
  oneOf: (parts, value, { judge }) =>
    !isFilled(parts) || counted(parts, (part) => judge.of(part, value), 1, 1),
  not: (refused, value, { judge }) => negated(judge.of(refused, value)),
  if(condition, value, { schema, judge }) {
    const then = judge.of(own(schema, 'then') ?? true, value)
    const otherwise = judge.of(own(schema, 'else') ?? true, value)
    if (then === otherwise) return then
    const holds = judge.of(condition, value)
    return holds === undefined ? undefined : holds ? then : otherwise
  },
}

const onNumbers: Tests<CheckedOf<'number'>, number> = {
  multipleOf: (divisor, value) => typeof divisor !== 'number' || divisor <= 0 || isMultipleOf(value, divisor),
  maximum: (limit, value) => typeof limit !== 'number' || value <= limit,
  exclusiveMaximum: (limit, value) => typeof limit !== 'number' || value < limit,
  minimum: (limit, value) => typeof limit !== 'number' || value >= limit,
  exclusiveMinimum: (limit, value) => typeof limit !== 'number' || value > limit,
}

const onTexts: Tests<CheckedOf<'string'>, string> = {
  maxLength: (limit, value) => typeof limit !== 'number' || ucs2length(value) <= limit,
  minLength: (limit, value) => typeof limit !== 'number' || ucs2length(value) >= limit,
  pattern: (pattern, value) => typeof pattern !== 'string' || patternMatches(pattern, value),
}

const onArrays: Tests<CheckedOf<'array'>, readonly Json[]> = {
  prefixItems: (parts, value, { judge }) =>
    !isArray(parts) ||
    every(value.slice(0, parts.length).entries(), ([i, item]) => judge.of(parts[i] ?? true, item)),
  items: (rest, value, { schema, judge }) =>
    every(value.slice(schemaList(schema, 'prefixItems').length), (item) => judge.of(rest, item)),
  contains: (wanted, value, { schema, judge }) => {
    const [least, most] = [own(schema, 'minContains'), own(schema, 'maxContains')]
    const verdict = counted(
      value,
      (item) => judge.of(wanted, item),
      typeof least === 'number' ? least : 1,
      typeof most === 'number' ? most : Number.POSITIVE_INFINITY,
    )
    return ifChecked(verdict, value, schema)
  },
  unevaluatedItems: (rest, value, { schema, judge }) =>
    every(value.entries(), ([i, item]) =>
      either(evaluates(schema, value, i, judge), () => judge.of(rest, item)),
    ),
  maxItems: (limit, value) => typeof limit !== 'number' || value.length <= limit,
  minItems: (limit, value) => typeof limit !== 'number' || value.length >= limit,
  uniqueItems: (flag, value, { schema }) =>
    flag !== true || ifChecked(duplicate(value) === undefined, value, schema),
}

const onObjects: Tests<CheckedOf<'object'>, JsonObject> = {
  properties: (parts, value, { judge }) =>
    !isObject(parts) ||
    every(Object.entries(value), ([name, member]) => judge.of(own(parts, name) ?? true, member)),
  patternProperties: (parts, value, { judge }) =>
    every(entriesOf(parts), ([pattern, part]) =>
      every(Object.entries(value), ([name, member]) =>
        either(negated(patternMatches(pattern, name)), () => judge.of(part, member)),
      ),
    ),
  additionalProperties: (rest, value, { schema, judge }) =>
    every(Object.entries(value), ([name, member]) =>
      either(isListed(schema, name), () => judge.of(rest, member)),
    ),
  unevaluatedProperties: (rest, value, { schema, judge }) =>
    every(Object.entries(value), ([name, member]) =>
      either(evaluates(schema, value, name, judge), () => judge.of(rest, member)),
    ),
  propertyNames: (part, value, { judge }) => every(Object.keys(value), (name) => judge.of(part, name)),
  dependentSchemas: (parts, value, { judge }) =>
    every(entriesOf(parts), ([name, part]) => !Object.hasOwn(value, name) || judge.of(part, value)),
  dependentRequired: (lists, value) =>
    every(entriesOf(lists), ([name, list]) => !Object.hasOwn(value, name) || hasAll(value, list)),
  required: (names, value) => hasAll(value, names),
  maxProperties: (limit, value) => typeof limit !== 'number' || Object.keys(value).length <= limit,
  minProperties: (limit, value) => typeof limit !== 'number' || Object.keys(value).length >= limit,
}

const tables = [onAny, onNumbers, onTexts, onArrays, onObjects]
const undecided = new Set(
  unknownKeywords(
    (name) => keywordNamed(name)?.isDependent === true || tables.some((tests) => Object.hasOwn(tests, name)),
  ).map(({ name }) => name),
)

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}

/** AJV 8 does not check some keywords of a list that ends before the first schema of `prefixItems` that matters. */
function ifChecked(verdict: Verdict, value: readonly Json[], schema: JsonObject): Verdict {
  const isEarly = value.length < schemaList(schema, 'prefixItems').length
  return isEarly ? either(verdict, () => undefined) : verdict
}

function isFilled(parts: Json): parts is readonly Json[] {
  return isArray(parts) && parts.length > 0
}

function entriesOf(map: Json): [string, Json][] {
  return isObject(map) ? Object.entries(map) : []
}

function hasAll(value: JsonObject, names: Json): boolean {
  return !isArray(names) || names.every((name) => typeof name !== 'string' || Object.hasOwn(value, name))
}
