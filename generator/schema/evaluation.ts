import type { Ajv, KeywordCxt, Name } from 'ajv'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { isSchema, type Schema, schemaList } from './schema.js'

// AJV counts evaluated members and items differently from the standard. The compiler corrects members, and schemas get
// forms that mean the same to both.

/**
 * Lets each keyword count members in a variable of its own, which is then added to those of its schema. Otherwise AJV
 * counts in the variable of a branch, even if that fails, in that of the item before, or in the list of another function,
 * which would then count more in later calls; and fails where all members count and `patternProperties` names one.
 *
 * @param name `Name` of the module that has made `ajv`
 */
export function countMembersApart(ajv: Pick<Ajv, 'getKeyword'>, name: typeof Name): void {
  for (const keyword of counting) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object' || !('code' in definition)) continue
    const { code } = definition
    definition.code = (context: KeywordCxt, type) => {
      const { it } = context
      const { items: _, props: before, ...rest } = it
      Object.assign(it, { props: undefined })
      context.mergeEvaluated({ ...rest, props: {} }, name)
      code(context, type)
      const { props: counted } = it
      Object.assign(it, { props: before })
      if (counted !== undefined) context.mergeEvaluated({ ...rest, props: counted })
    }
  }
}

const counting = [
  ...['$ref', '$dynamicRef', '$recursiveRef', 'anyOf', 'oneOf', 'discriminator', 'if'],
  ...['dependentSchemas', 'dependencies', 'patternProperties'],
]

/**
 * AJV counts what `if` evaluates whether it holds or not, and ignores an `if` alone. The standard counts it only where
 * it holds (2020-12, core, section 10.2.2.1): `anyOf` does so, and `not` counts nothing.
 */
export function evaluatingIf(schema: JsonObject): JsonObject {
  const { if: condition, ...rest } = schema
  if (!isObject(condition)) return schema
  const isAsked = ['then', 'else'].some((keyword) => Object.hasOwn(rest, keyword))
  return {
    ...rest,
    ...(isAsked && { if: { not: { not: condition } } }),
    allOf: [...partsOf(rest), { anyOf: [condition, true] }],
  }
}

/**
 * The same schema without its `unevaluatedItems`: other keywords check the items that nothing evaluates. AJV counts all
 * items for a `contains` instead of those that match it (2020-12, core, section 10.3.1.3), and miscounts the items of a
 * branch that holds. `target`: the schema of a `$ref`.
 */
export function evaluatingItems(
  schema: JsonObject,
  target: (schema: JsonObject) => Json | undefined,
): JsonObject {
  const { unevaluatedItems: rest, ...others } = schema
  if (rest === undefined || !isSchema(rest)) return schema
  const found = evaluations(others, [], { target, left: mostSchemas }, new Set([schema]))
  const always = found.filter(({ when }) => when.length === 0)
  const some = found.filter(({ when }) => when.length > 0)
  const allowed = [rest, ...always.flatMap(matchingOf)]
  const choice = subsets(some.filter(({ matching }) => matching !== undefined)).map((chosen) => ({
    when: chosen.flatMap(({ when }) => when),
    allowed: [...allowed, ...chosen.flatMap(matchingOf)],
  }))
  const start = Math.max(0, ...always.map(({ items }) => items))
  const cuts = [start, ...some.map(({ items }) => items)].filter((cut) => cut >= start && cut < endless)
  const clauses = [...new Set(cuts)]
    .sort((a, b) => a - b)
    .map((from, index, all): Schema => {
      const to = all[index + 1] ?? endless
      return anyOf([
        ...some.filter(({ items }) => items > from).map(({ when }) => allOf(when)),
        ...choice.map((one) => allOf([...one.when, itemsBetween(from, to, anyOf(one.allowed))])),
      ])
    })
  return clauses.length === 0 ? others : { ...others, allOf: [...partsOf(others), ...clauses] }
}

/** The `allOf`, even if it is none. */
function partsOf({ allOf = [] }: JsonObject): readonly Json[] {
  return isArray(allOf) ? allOf : [allOf]
}

/** The items that a schema evaluates where some other schemas hold: the first ones, and those that match another. */
interface Evaluation {
  readonly when: readonly Schema[]
  readonly items: number
  readonly matching?: Schema
}

const endless = Number.POSITIVE_INFINITY

interface Search {
  readonly target: (schema: JsonObject) => Json | undefined
  /** How many schemas it may still read. */
  left: number
}

/** Further schemas count as evaluating nothing: branches of branches double their number with each level. */
const mostSchemas = 1000

/** `seen`: the schemas that were read under the same conditions. */
function evaluations(
  schema: JsonObject,
  when: readonly Schema[],
  search: Search,
  seen: Set<JsonObject>,
): Evaluation[] {
  const isWhole = ['items', 'unevaluatedItems'].some((keyword) => Object.hasOwn(schema, keyword))
  const items = isWhole ? endless : schemaList(schema, 'prefixItems').length
  const matching = own(schema, 'contains')
  const within = (part: Json | undefined, ...conditions: Schema[]): Evaluation[] => {
    if (!isObject(part) || seen.has(part) || search.left === 0) return []
    search.left -= 1
    const known = conditions.length === 0 ? seen : new Set(seen)
    known.add(part)
    return evaluations(part, [...when, ...conditions], search, known)
  }
  const condition = own(schema, 'if')
  return [
    { when, items, ...(isSchema(matching) && { matching }) },
    ...within(search.target(schema)),
    ...schemaList(schema, 'allOf').flatMap((part) => within(part)),
    ...choices.flatMap((keyword) => schemaList(schema, keyword).flatMap((part) => within(part, part))),
    ...(isSchema(condition)
      ? [
          ...within(condition, condition),
          ...within(own(schema, 'then'), condition),
          ...within(own(schema, 'else'), { not: condition }),
        ]
      : []),
  ].filter((one) => one.items > 0 || one.matching !== undefined)
}

function matchingOf({ matching }: Evaluation): Schema[] {
  return matching === undefined ? [] : [matching]
}

/** More than this many conditions count as one that holds nowhere: the number of subsets doubles with each. */
const mostConditions = 6

function subsets(evaluations: readonly Evaluation[]): (readonly Evaluation[])[] {
  return evaluations
    .slice(0, mostConditions)
    .reduce<(readonly Evaluation[])[]>((all, one) => all.flatMap((set) => [set, [...set, one]]), [[]])
}

/** The schema of an array whose items from one position to before another match a schema. */
function itemsBetween(from: number, to: number, schema: Schema): Schema {
  if (schema === true) return true
  const skipped = Array<Schema>(from).fill(true)
  if (to !== endless) return { prefixItems: [...skipped, ...Array<Schema>(to - from).fill(schema)] }
  return { ...(from > 0 && { prefixItems: skipped }), items: schema }
}

function anyOf(schemas: readonly Schema[]): Schema {
  if (schemas.includes(true)) return true
  const [only = false, ...others] = schemas.filter((schema) => schema !== false)
  return others.length === 0 ? only : { anyOf: [only, ...others] }
}

function allOf(schemas: readonly Schema[]): Schema {
  const [only = true, ...others] = schemas.filter((schema) => schema !== true)
  return others.length === 0 ? only : { allOf: [only, ...others] }
}
