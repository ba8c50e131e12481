import { tentative } from '../../emit/one-way.js'
import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { discriminationOf } from '../../model/discriminator.js'
import type { Schema } from '../../model/model.js'
import { isSchema, referenceOf, requiredOf, schemaList, schemaMap } from '../../model/schema.js'
import { asObject } from '../side.js'
import type { Judgement } from './judgement.js'

type Schemas = ReadonlyMap<string, Schema>

/** A schema at a place, with whether it is a branch that validators try out, in which they fill nothing in. */
interface Part {
  readonly schema: JsonObject
  readonly isTried: boolean
}

/**
 * Whether no request is refused for lack of a property that has a default, and none because validators fill the default in.
 * `params` is a schema of the model, which has valid defaults alone. `way`: where the property is. Undefined if no schema there
 * has a default for it.
 *
 * AJV fills in a default of a schema's own `properties` before it reads the schema's other keywords of objects, and after
 * `allOf`, `not` and the like beside them. It fills in nothing below `anyOf`, `oneOf`, `then`, `else` and `dependentSchemas`, where
 * generated validators do not require the property.
 */
export function isFilledIn(
  judgement: Judgement,
  schemas: Schemas,
  params: Schema,
  way: readonly string[],
): boolean | undefined {
  const name = way.at(-1) ?? ''
  let parts: readonly Part[] = [{ schema: asObject(params), isTried: false }]
  for (const step of way.slice(0, -1)) parts = within(all(schemas, parts), step)
  // What stands beside the properties is read before they are filled in.
  const found = all(schemas, parts, (part) => defaultOf(part.schema, name) !== undefined)
  const filling = found.filter((part) => defaultOf(part.schema, name) !== undefined)
  if (filling.length === 0) return undefined
  const usual = filling.filter(({ isTried }) => !isTried).map(({ schema }) => defaultOf(schema, name))
  if (usual.length === 0) return !found.some((one) => !one.isTried && requiredOf(one.schema).includes(name))
  return found.every(({ schema }) => {
    if (ofObjects.some((key) => own(schema, key) !== undefined)) return false
    if (Object.hasOwn(asObject(own(schema, 'dependentSchemas')), name)) return false
    if (defaultOf(schema, name) !== undefined) return true
    const declared = own(asObject(own(schema, 'properties')), name)
    if (declared === undefined && ofOthers.some((key) => (own(schema, key) ?? true) !== true)) return false
    if (Object.hasOwn(asObject(own(schema, 'dependentRequired')), name)) return false
    if (ofValues.some((key) => JSON.stringify(own(schema, key) ?? '').includes(JSON.stringify(name))))
      return false
    return (
      declared === undefined ||
      usual.every((value) => judgement.isContained('request', { const: value ?? null }, declared))
    )
  })
}

/** Ids of changes by which validators may fill in what a request leaves out. */
export const fillsIn =
  /-default-value-(added|changed)$|^new-(optional|required)-request-(parameter-)?property/

/** Keywords that may refuse a property for its name, or as one too many. */
const ofObjects = ['maxProperties', 'propertyNames', 'patternProperties']

/** Keywords that may refuse a property that their schema does not declare. */
const ofOthers = ['additionalProperties', 'unevaluatedProperties']

/** Keywords that may refuse an object for a property that it has. */
const ofValues = ['not', 'if', 'then', 'else', 'oneOf', 'anyOf']

function defaultOf(schema: JsonObject, name: string): Json | undefined {
  return own(asObject(own(asObject(own(schema, 'properties')), name)), 'default')
}

/** Schemas with those that apply to the same value. `isLast`: whether a schema is kept without the others that apply. */
function all(schemas: Schemas, parts: readonly Part[], isLast?: (part: Part) => boolean): Part[] {
  const found = new Map<JsonObject, Part>()
  const waiting = [...parts]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { schema, isTried } = part
    if (found.has(schema)) continue
    found.set(schema, part)
    if (isLast?.(part) === true) continue
    const add = (other: Schema | undefined, isBranch = isTried): void => {
      if (isObject(other)) waiting.push({ schema: other, isTried: isBranch })
    }
    add(schemas.get(referenceOf(schema) ?? ''))
    for (const other of schemaList(schema, 'allOf')) add(other)
    const chosen = discriminationOf(schemas, schema)?.keyword
    for (const keyword of tentative)
      for (const branch of branchesOf(schema, keyword)) add(branch, isTried || keyword !== chosen)
  }
  return [...found.values()]
}

function branchesOf(schema: JsonObject, keyword: string): readonly Schema[] {
  if (keyword === 'dependentSchemas') return schemaMap(schema, keyword).map(([, branch]) => branch)
  const value = own(schema, keyword)
  return isArray(value) ? value.filter(isSchema) : isSchema(value) ? [value] : []
}

/** The schemas of what a step leads to: a property, `-` for an item, `*` for any other property. */
function within(parts: readonly Part[], step: string): Part[] {
  return parts.flatMap(({ schema, isTried }) => {
    const properties = asObject(own(schema, 'properties'))
    const named = Object.hasOwn(properties, step) ? [own(properties, step)] : []
    const others =
      step === '*'
        ? [own(schema, 'additionalProperties'), ...Object.values(asObject(own(schema, 'patternProperties')))]
        : []
    const items = step === '-' ? [own(schema, 'items'), ...schemaList(schema, 'prefixItems')] : []
    return [...named, ...others, ...items].flatMap((one) => (isObject(one) ? [{ schema: one, isTried }] : []))
  })
}
