/** Keywords that lose or change their meaning without each other. */
const groups = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['items', 'prefixItems', 'additionalItems'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
]
const asIs = new Set([
  '$ref',
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const named = ['properties', 'patternProperties', 'dependentSchemas', 'definitions', '$defs']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singles = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
]

/** An equivalent schema in another form. */
export function refactored(schema, dialect, random) {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const inner = (part) => refactored(part, dialect, random)
  const copy = shuffled({ ...schema }, random)
  // A negation would lose annotations.
  if (Object.keys(copy).some((key) => asIs.has(key))) return copy
  for (const key of named)
    if (Object.hasOwn(copy, key))
      copy[key] = Object.fromEntries(Object.entries(copy[key]).map(([name, part]) => [name, inner(part)]))
  for (const key of lists) if (Object.hasOwn(copy, key)) copy[key] = copy[key].map(inner)
  for (const key of singles)
    if (Object.hasOwn(copy, key))
      copy[key] = Array.isArray(copy[key]) ? copy[key].map(inner) : inner(copy[key])
  return random.once(3) ? reworded(copy, random) : copy
}

function reworded(schema, random) {
  const { definitions, ...rest } = schema
  const kept = definitions === undefined ? {} : { definitions }
  switch (random.below(6)) {
    case 0:
      return { ...kept, not: { not: rest } }
    case 1:
      return { ...kept, allOf: [rest] }
    case 2:
      return { ...kept, anyOf: [rest, { allOf: [rest, { type: 'string' }] }] }
    case 3: {
      const parts = apart(rest)
      return parts.length > 1 ? { ...kept, allOf: parts } : schema
    }
    case 4: {
      const parts = apart(rest)
      return parts.length > 1 ? { ...kept, not: { anyOf: parts.map((not) => ({ not })) } } : schema
    }
    default: {
      if (Array.isArray(rest.type)) return { ...kept, anyOf: rest.type.map((type) => ({ ...rest, type })) }
      if (Array.isArray(rest.enum))
        return { ...kept, anyOf: rest.enum.map((value) => ({ ...rest, enum: [value] })) }
      return { ...kept, oneOf: [rest, { allOf: [rest, { not: rest }] }] }
    }
  }
}

/** One schema for each keyword, or group of keywords. */
function apart(schema) {
  const parts = new Map()
  for (const [key, value] of Object.entries(schema)) {
    const group = groups.findIndex((keys) => keys.includes(key))
    const name = group < 0 ? key : group
    parts.set(name, { ...parts.get(name), [key]: value })
  }
  return [...parts.values()]
}

function shuffled(object, random) {
  const entries = Object.entries(object)
  for (let i = entries.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[entries[i], entries[j]] = [entries[j], entries[i]]
  }
  return Object.fromEntries(entries)
}
