/** Maps of schemas, and lists of names or values: keywords whose value is not a schema. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', 'shared'])

/** A copy of { schema, shared } with one difference. */
export function mutated(whole, random, another) {
  const copy = JSON.parse(JSON.stringify(whole))
  const schemas = []
  collect(copy.schema, schemas)
  for (const schema of Object.values(copy.shared)) collect(schema, schemas)
  const schema = random.pick(schemas)
  const keyword = random.pick(Object.keys(schema))
  const value = schema[keyword]
  const { definitions: _, ...extra } = another()
  if (JSON.stringify(extra).includes('#/definitions/')) delete schema[keyword]
  else if (random.once(4)) Object.assign(schema, extra)
  else if (typeof value === 'number') schema[keyword] = value + (random.once(2) ? 1 : -1)
  else if (Array.isArray(value) && value.length > 1) value.splice(random.below(value.length), 1)
  else if (maps.has(keyword) && typeof value === 'object')
    value[random.pick(['id', 'name', 'a', 'c'])] = keyword === 'dependentRequired' ? ['b'] : extra
  else if (random.once(2) || keyword === 'type')
    schema.type = random.pick(['integer', 'number', 'string', ['string', 'null'], 'object'])
  else delete schema[keyword]
  return copy
}

function collect(node, found) {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) for (const one of node) collect(one, found)
  else {
    if (Object.keys(node).length > 0) found.push(node)
    for (const [keyword, value] of Object.entries(node)) {
      if (
        keyword === 'enum' ||
        keyword === 'const' ||
        keyword === 'required' ||
        keyword === 'dependentRequired'
      )
        continue
      if (maps.has(keyword)) for (const one of Object.values(value)) collect(one, found)
      else collect(value, found)
    }
  }
}
