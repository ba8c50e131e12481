// The convention that nobody sends a property which no schema describes, read anew: `diff` has its own reading.

/** Whether a value has a member, at any depth, that the schemas of its object do not mention. */
export function hasUndeclared(value, { schema, shared }) {
  return isBeyond(value, [schema], shared)
}

function isBeyond(value, schemas, shared) {
  if (typeof value !== 'object' || value === null) return false
  const parts = new Set(schemas.flatMap((schema) => [...inPlace(schema, shared)]))
  const all = [...parts]
  if (Array.isArray(value)) {
    const items = all.flatMap((part) => [...(part.prefixItems ?? []), part.items, part.contains])
    return value.some((item) => isBeyond(item, items.filter(isThere), shared))
  }
  const isAny = schemas.every((schema) => saysNothing(schema, shared))
  return Object.entries(value).some(([name, member]) => {
    const rules = all.flatMap((part) => [
      part.additionalProperties,
      ...Object.values(part.patternProperties ?? {}),
    ])
    const own = all.map((part) => part.properties?.[name]).filter(isThere)
    const others = rules.filter((rule) => typeof rule === 'object')
    if (!isAny && others.length === 0 && !all.some((part) => names(part).includes(name))) return true
    return isBeyond(member, [...own, ...others], shared)
  })
}

/** A schema, and everything that it says of the same value. */
function* inPlace(schema, shared, seen = new Set()) {
  if (typeof schema !== 'object' || seen.has(schema)) return
  seen.add(schema)
  yield schema
  const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, $ref } = schema
  const singles = [schema.not, schema.if, schema.then, schema.else, target($ref, shared)]
  for (const part of [...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas), ...singles])
    if (isThere(part)) yield* inPlace(part, shared, seen)
}

/** Whether some values of a schema are any. */
function saysNothing(schema, shared, seen = []) {
  if (typeof schema !== 'object' || seen.includes(schema)) return schema === true
  const { type, enum: listed = [schema.const].filter(isThere), allOf = [], $ref } = schema
  const isListed = listed.length > 0 && !listed.some((one) => typeof one === 'object' && one !== null)
  if (type !== undefined || isListed || names(schema).length > 0 || schema.patternProperties) return false
  const isAny = (part) => saysNothing(part, shared, [...seen, schema])
  const parts = [...allOf, target($ref, shared)].filter(isThere)
  return (
    parts.every(isAny) && [schema.anyOf, schema.oneOf].every((list) => list === undefined || list.some(isAny))
  )
}

function names({ properties = {}, required = [], dependentRequired = {}, dependentSchemas = {} }) {
  const maps = [properties, dependentRequired, dependentSchemas].flatMap(Object.keys)
  return [...maps, ...required, ...Object.values(dependentRequired).flat()]
}

function target(reference, shared) {
  return reference === undefined ? undefined : shared[reference.split('/').at(-1)]
}

function isThere(value) {
  return value !== undefined
}
