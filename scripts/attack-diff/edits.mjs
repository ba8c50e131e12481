const words = ['id', 'name', 'tags', 'a', 'b']
const small = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'null' },
  {},
  { enum: [1, 2] },
  { enum: [null, 'a'] },
]

/** Edits of one schema as people make them. Each returns another schema, or undefined if it does not apply. */
const edits = {
  oneOf: (schema) => ({ oneOf: [schema] }),
  anyOf: (schema) => ({ anyOf: [schema] }),
  allOf: (schema) => ({ allOf: [schema] }),
  oneOfNull: (schema) => ({ oneOf: [schema, { type: 'null' }] }),
  anyOfNull: (schema) => ({ anyOf: [{ type: 'null' }, schema] }),
  oneOfMore: (schema, random) => ({ oneOf: [schema, random.pick(small)] }),
  anyOfMore: (schema, random) => ({ anyOf: [random.pick(small), schema] }),
  allOfMore: (schema, random) => ({ allOf: [schema, random.pick(small)] }),
  not: (schema, random) => ({ ...schema, not: random.pick(small) }),
  reference: (schema, _, shared) => {
    // A component cannot replace itself.
    const [name] =
      Object.entries(shared).find(
        ([, one]) => one !== schema && JSON.stringify(one) === JSON.stringify(schema),
      ) ?? []
    return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` }
  },
  moved: (schema, _, shared) => {
    if (schema.$ref !== undefined) return undefined
    const name = shared.Moved === undefined ? 'Moved' : 'MovedToo'
    if (shared[name] !== undefined) return undefined
    shared[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  },
  beside: (schema, random) =>
    schema.$ref === undefined
      ? undefined
      : random.pick([
          { ...schema, minProperties: 1 },
          { allOf: [schema], required: ['a'] },
        ]),
  nullable: ({ type, ...rest }) =>
    type === undefined ? undefined : { ...rest, type: [...new Set([type, 'null'].flat())] },
  notNullable: ({ type, ...rest }) =>
    Array.isArray(type) && type.length > 1
      ? { ...rest, type: type.filter((one) => one !== 'null') }
      : undefined,
  typed: (schema, random) => ({
    ...schema,
    type: random.pick(['string', 'integer', 'number', 'object', 'array', 'null']),
  }),
  untyped: ({ type, ...rest }) => (type === undefined ? undefined : rest),
  enumerated: (schema, random) => ({
    ...schema,
    enum: random.pick([['a', 'b'], [1, 2], [null], ['a', null], [1, 'a']]),
  }),
  lessOfEnum: (schema) => (schema.enum?.length > 1 ? { ...schema, enum: schema.enum.slice(1) } : undefined),
  constant: (schema, random) => ({ ...schema, const: random.pick(['a', 1, null, {}]) }),
  required: (schema, random) => ({
    ...schema,
    required: [...new Set([...(schema.required ?? []), random.pick(words)])],
  }),
  notRequired: (schema) =>
    schema.required?.length > 0 ? { ...schema, required: schema.required.slice(1) } : undefined,
  property: (schema, random) => {
    const name = random.pick(words)
    if (Object.hasOwn(schema.properties ?? {}, name)) return undefined
    return { ...schema, properties: { ...schema.properties, [name]: random.pick(small) } }
  },
  otherProperty: (schema, random) => {
    const name = random.pick(Object.keys(schema.properties ?? {}))
    if (name === undefined) return undefined
    return { ...schema, properties: { ...schema.properties, [name]: random.pick(small) } }
  },
  noProperty: (schema, random) => {
    const { [random.pick(Object.keys(schema.properties ?? {}))]: gone, ...properties } =
      schema.properties ?? {}
    return gone === undefined ? undefined : { ...schema, properties }
  },
  undeclared: (schema, random) => {
    const name = random.pick(Object.keys(schema.properties ?? {}))
    if (name === undefined) return undefined
    const { [name]: _, ...properties } = schema.properties
    return { ...schema, properties, required: [...new Set([...(schema.required ?? []), name])] }
  },
  closed: (schema) => ({ ...schema, additionalProperties: false }),
  opened: ({ additionalProperties, ...rest }) => (additionalProperties === undefined ? undefined : rest),
  additional: (schema, random) => ({ ...schema, additionalProperties: random.pick(small) }),
  asPatterns: ({ properties, ...rest }) =>
    properties === undefined
      ? undefined
      : {
          ...rest,
          patternProperties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [`^${name}$`, one]),
          ),
        },
  pattern: (schema, random) => ({ ...schema, patternProperties: { '^a': random.pick(small) } }),
  unevaluated: (schema) => ({ ...schema, unevaluatedProperties: false }),
  dependent: (schema, random) => ({
    ...schema,
    dependentRequired: { [random.pick(words)]: [random.pick(words)] },
  }),
  conditional: (schema, random) => ({
    ...schema,
    if: { required: [random.pick(words)] },
    [random.pick(['then', 'else'])]: random.pick([{ required: [random.pick(words)] }, { minProperties: 2 }]),
  }),
  unconditional: ({ if: condition, ...rest }) => (condition === undefined ? undefined : rest),
  names: (schema) => ({ ...schema, propertyNames: { maxLength: 2 } }),
  tuple: (schema, random) => ({ ...schema, prefixItems: [random.pick(small)] }),
  contains: (schema, random) => ({ ...schema, contains: random.pick(small) }),
  unique: (schema) => ({ ...schema, uniqueItems: true }),
  multiple: (schema, random) => ({ ...schema, multipleOf: random.pick([2, 4, 0.5, 0.1]) }),
  minimum: (schema, random) => ({ ...schema, minimum: random.below(4) }),
  maximum: (schema, random) => ({ ...schema, maximum: random.below(4) }),
  minLength: (schema, random) => ({ ...schema, minLength: random.below(4) }),
  maxLength: (schema, random) => ({ ...schema, maxLength: random.below(4) }),
  minItems: (schema, random) => ({ ...schema, minItems: random.below(4) }),
  maxItems: (schema, random) => ({ ...schema, maxItems: random.below(4) }),
  format: (schema, random) => ({
    ...schema,
    format: random.pick(['date', 'uuid', 'int32', 'byte', 'email']),
  }),
  default: (schema, random) => ({ ...schema, default: random.pick(['a', 1, null]) }),
  readOnly: (schema) => ({ ...schema, readOnly: true }),
  writeOnly: (schema) => ({ ...schema, writeOnly: true }),
  discriminator: (schema) =>
    schema.oneOf === undefined && schema.anyOf === undefined
      ? undefined
      : { ...schema, discriminator: { propertyName: 'a' } },
  unwrapped: (schema, random) => {
    const branches = schema.oneOf ?? schema.anyOf ?? schema.allOf
    return branches === undefined ? undefined : random.pick(branches)
  },
  fewer: (schema, random) => {
    const keyword = random.pick(['oneOf', 'anyOf', 'allOf'])
    return schema[keyword]?.length > 1 ? { ...schema, [keyword]: schema[keyword].slice(1) } : undefined
  },
  otherKeyword: (schema, random) => {
    const [from, to] = random.pick([
      ['oneOf', 'anyOf'],
      ['anyOf', 'oneOf'],
      ['allOf', 'anyOf'],
    ])
    const { [from]: branches, ...rest } = schema
    return branches === undefined || rest[to] !== undefined ? undefined : { ...rest, [to]: branches }
  },
  bare: (schema, random) => {
    const { [random.pick(Object.keys(schema))]: _, ...rest } = schema
    return rest
  },
}

/** Keywords that contain schemas. */
const single = ['additionalProperties', 'items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['properties', 'patternProperties', 'dependentSchemas']

/** A copy of { schema, shared } with one to three edits, and the names of the edits. */
export function edited(whole, random) {
  const copy = structuredClone(whole)
  const names = Array.from({ length: 1 + random.below(3) }, () => {
    const isUsed = (name) => JSON.stringify(copy).includes(`#/components/schemas/${name}"`)
    const components = Object.keys(copy.shared).filter(isUsed)
    const slots = [
      ...slotsIn(copy, 'schema'),
      ...components.flatMap((name) => [...slotsIn(copy.shared, name)]),
    ]
    // An edit may have made the whole schema true or false.
    return slots.length === 0 ? 'none' : editOne(slots, random, copy.shared)
  })
  return { ...copy, names }
}

/** Edits one of the schemas in place. Returns the name of the edit. */
export function editOne(slots, random, shared) {
  for (;;) {
    const [holder, key] = random.pick(slots)
    const name = random.pick(Object.keys(edits).filter((one) => fits(one, holder[key])))
    const made = edits[name](holder[key], random, shared)
    // Tries another edit. Enough of them always apply.
    if (made === undefined) continue
    holder[key] = structuredClone(made)
    return name
  }
}

/** Makes texts of numbers or booleans, which parameters and forms read in another way. False if there are none. */
export function textsOfScalars(slots, random) {
  const scalars = slots.filter(([holder, key]) => ['integer', 'number', 'boolean'].includes(holder[key].type))
  const items = scalars.filter(([, key]) => key === 'items')
  const [holder, key] = random.pick(items.length > 0 && random.once(2) ? items : scalars) ?? []
  if (holder === undefined) return false
  const { enum: listed } = holder[key]
  const values = listed === undefined ? {} : { enum: listed.map(String) }
  holder[key] = { type: 'string', ...values, ...(random.once(2) && { minLength: 1 }) }
  return true
}

/** Edits that do not affect values of other types. */
const typed = {
  object:
    /^(required|notRequired|property|otherProperty|noProperty|undeclared|closed|opened|additional|asPatterns|pattern|unevaluated|dependent|(un)?conditional|names)$/,
  array: /^(tuple|contains|unique|minItems|maxItems)$/,
  number: /^(multiple|minimum|maximum)$/,
  string: /^(format|minLength|maxLength)$/,
}

function fits(name, { type }) {
  const types = [type ?? Object.keys(typed)].flat().map((one) => (one === 'integer' ? 'number' : one))
  const known = Object.entries(typed).filter(([, edit]) => edit.test(name))
  return known.length === 0 || known.some(([one]) => types.includes(one))
}

/** Every subschema that is an object. */
export function* slotsIn(holder, key) {
  const schema = holder[key]
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  yield [holder, key]
  for (const keyword of single) yield* slotsIn(schema, keyword)
  for (const keyword of lists)
    if (Array.isArray(schema[keyword]))
      for (const at of schema[keyword].keys()) yield* slotsIn(schema[keyword], at)
  for (const keyword of maps)
    for (const name of Object.keys(schema[keyword] ?? {})) yield* slotsIn(schema[keyword], name)
}

/** A schema as documents have them: mostly objects with a few members, one of them a component. */
export function usualSchema(random) {
  const leaf = () =>
    random.pick([
      ...small,
      { type: 'string', enum: ['a', 'b'] },
      { type: ['string', 'null'] },
      { type: 'array', items: { type: 'string' } },
      { type: 'number', minimum: 0 },
      { type: 'boolean' },
      { const: 'a' },
      { $ref: '#/components/schemas/Node' },
    ])
  const object = (depth) => {
    const names = words.filter(() => random.once(2))
    const inner = () => (depth > 0 && random.once(3) ? object(depth - 1) : leaf())
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, inner()])),
      ...(random.once(2) && { required: names.filter(() => random.once(2)) }),
      ...(random.once(4) && { additionalProperties: random.pick([false, { type: 'string' }]) }),
    }
  }
  const schema = random.pick([
    () => object(1),
    () => object(0),
    () => object(0),
    () => ({ type: 'array', items: object(0) }),
    () => ({ [random.pick(['oneOf', 'anyOf', 'allOf'])]: [object(0), object(0)] }),
    () => ({ [random.pick(['oneOf', 'anyOf'])]: [leaf(), leaf()] }),
    leaf,
  ])()
  return { schema, shared: { Node: object(0) } }
}
