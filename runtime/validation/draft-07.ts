import { isJsonObject, type JsonObject, setMember } from '../values/object.js'

/**
 * Converts a schema from draft 2020-12 to draft-07. The result accepts at least the same values: keywords
 * that only the later draft has, such as `unevaluatedProperties`, are dropped.
 */
export function inDraft07(schema: JsonObject): JsonObject {
  const { $defs, ...root } = schema
  const definitions = isJsonObject($defs) && { $defs: membersConverted($defs) }
  return { ...objectConverted(root), $schema: 'http://json-schema.org/draft-07/schema#', ...definitions }
}

function converted(schema: unknown): unknown {
  return isJsonObject(schema) ? objectConverted(schema) : schema
}

function objectConverted(schema: JsonObject): JsonObject {
  const { $ref, ...others } = schema
  const copy: JsonObject = {}
  for (const key of Object.keys(others)) convertKeyword(key, others, copy)
  if ($ref === undefined) return copy
  // Draft-07 ignores the siblings of a reference.
  return Object.keys(copy).length === 0 ? { $ref } : { allOf: [{ $ref }, copy] }
}

function convertKeyword(key: string, schema: JsonObject, copy: JsonObject): void {
  const value = schema[key]
  if (dropped.has(key) || (key === 'contains' && schema.minContains === 0)) return
  if (key === 'dependentRequired' || key === 'dependentSchemas') {
    const dependencies = isJsonObject(copy.dependencies) ? copy.dependencies : {}
    copy.dependencies = { ...dependencies, ...membersConverted(value) }
  } else if (key === 'prefixItems') copy.items = listConverted(value)
  else if (key === 'items' && schema.prefixItems !== undefined) copy.additionalItems = converted(value)
  else if (bySchema.has(key)) copy[key] = converted(value)
  else if (byList.has(key)) copy[key] = listConverted(value)
  else if (byName.has(key)) copy[key] = membersConverted(value)
  else setMember(copy, key, value)
}

function listConverted(value: unknown): unknown {
  return Array.isArray(value) ? value.map(converted) : value
}

function membersConverted(value: unknown): JsonObject {
  const copy: JsonObject = {}
  if (!isJsonObject(value)) return copy
  for (const name of Object.keys(value)) setMember(copy, name, converted(value[name]))
  return copy
}

const dropped = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$schema',
  'maxContains',
  'minContains',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const bySchema = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
])
const byList = new Set(['allOf', 'anyOf', 'oneOf'])
const byName = new Set(['$defs', 'definitions', 'patternProperties', 'properties'])
