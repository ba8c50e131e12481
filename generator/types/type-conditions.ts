import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { requiredOf, type Schema, schemaMap } from '../schema/schema.js'
import { enumerated } from './type-keywords.js'

/**
 * The meaning of `if` with `then` and `else`, and of each `dependentSchemas`, for an object: lists of
 * schemas. Every value satisfies one schema of each list.
 *
 * @param isPlain whether a property is present in a value exactly if the validator sees it: false if it has a
 * default or if one direction omits it
 */
export function alternativesOf(
  schema: JsonObject,
  isPlain: (name: string) => boolean,
): readonly (readonly Schema[])[] {
  if (!Object.hasOwn(schema, 'if') && !Object.hasOwn(schema, 'dependentSchemas')) return []
  // Values other than objects pass conditions on members.
  if (own(schema, 'type') !== 'object' && !Object.hasOwn(schema, 'properties')) return []
  const conditional = conditionOf(schema, isPlain)
  return [...(conditional === undefined ? [] : [conditional]), ...dependencies(schema, isPlain)]
}

/** Omits any beyond this: an intersection of unions grows like their product. */
const mostDependencies = 4

function dependencies(schema: JsonObject, isPlain: (name: string) => boolean): Schema[][] {
  const parts = schemaMap(schema, 'dependentSchemas').filter(([name]) => isPlain(name))
  if (parts.length > mostDependencies) return []
  return parts.map(([name, part]) => [{ properties: objectOf([[name, false]]) }, stating(part, isPlain)])
}

function conditionOf(schema: JsonObject, isPlain: (name: string) => boolean): Schema[] | undefined {
  const [holds, fails] = ['then', 'else'].map((keyword) => {
    const part = own(schema, keyword)
    return isObject(part) ? stating(part, isPlain) : part === false ? false : undefined
  })
  const distinguished = distinguish(schema, isPlain)
  if (distinguished === undefined)
    return holds === undefined || fails === undefined ? undefined : [holds, fails]
  const withTag = (tag: JsonObject, part: Schema | undefined): Schema =>
    part === undefined ? tag : { allOf: [tag, part] }
  return [withTag(distinguished.holds, holds), withTag(distinguished.fails, fails)]
}

/** A condition on one property with known values, as the values for which it is true and false. */
function distinguish(
  schema: JsonObject,
  isPlain: (name: string) => boolean,
): { readonly holds: JsonObject; readonly fails: JsonObject } | undefined {
  const condition = own(schema, 'if')
  if (!isObject(condition) || !Object.keys(condition).every((keyword) => tagging.has(keyword)))
    return undefined
  const [[name, tag] = ['', true], ...more] = schemaMap(condition, 'properties')
  const declared = new Map(schemaMap(schema, 'properties')).get(name)
  if (more.length > 0 || !isPlain(name) || !isObject(tag) || !isObject(declared)) return undefined
  const required = requiredOf(condition)
  const wanted = Object.keys(tag).every((keyword) => listing.has(keyword)) ? scalars(tag) : undefined
  const known = scalars(declared)
  if (wanted === undefined || known === undefined || required.some((other) => other !== name))
    return undefined
  const among = (values: readonly Json[], isThere: boolean): JsonObject => ({
    type: 'object',
    properties: objectOf([[name, { enum: values }]]),
    ...(isThere && { required: [name] }),
  })
  const needs = required.length > 0
  return {
    holds: among(
      known.filter((value) => wanted.includes(value)),
      needs,
    ),
    // A property that the condition does not require only fails it by its value.
    fails: among(
      known.filter((value) => !wanted.includes(value)),
      !needs,
    ),
  }
}

const tagging = new Set(['type', 'properties', 'required'])
const listing = new Set(['type', 'const', 'enum'])

/** The values of a schema, if it lists them and all are scalars. */
function scalars(schema: JsonObject): readonly Json[] | undefined {
  const values = enumerated(schema)
  return values?.every((value) => !isObject(value) && !isArray(value)) ? values : undefined
}

/** The schema with its required names as properties, if they are declared elsewhere. */
function stating(part: Schema, isPlain: (name: string) => boolean): Schema {
  if (!isObject(part)) return part
  const declared = new Set(schemaMap(part, 'properties').map(([name]) => name))
  const others = requiredOf(part).filter((name) => !declared.has(name) && isPlain(name))
  if (others.length === 0) return part
  return {
    ...picked(part, (keyword) => keyword !== 'properties'),
    properties: objectOf([
      ...schemaMap(part, 'properties'),
      ...others.map((name): [string, Json] => [name, {}]),
    ]),
  }
}
