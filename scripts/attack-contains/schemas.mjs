const constants = [
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  1.5,
  -1,
  10,
  '',
  'a',
  'b',
  'ab',
  'ba',
  'aa',
  [],
  [1],
  {},
  { a: 1 },
  [1, 2],
]
const names = ['a', 'b', 'ab']
const patterns = ['^a', 'b$', '^[ab]*$', '^.$', '^(?!a)', '^(a|b)$', 'a.?b', '^a*$', '^[^a]', '.*']
const typeNames = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

/** Creates schemas with all keywords of a dialect, from so few constants that keywords interact. */
export class SchemaMaker {
  constructor(random, dialect) {
    Object.assign(this, { random, dialect })
    this.late = dialect !== 'draft4'
    this.conditional = this.late && dialect !== 'draft6'
    this.modern = dialect.startsWith('20')
    this.last = dialect === '2020-12'
  }

  /** A whole schema, whose references point to one definition. */
  document(name = 'x') {
    this.name = name
    this.anchored = this.modern && this.random.once(8)
    this.inside = 0
    const definition = this.keywords(2)
    this.inside = 1
    if (this.anchored) definition.$anchor = name
    return { ...this.keywords(3), definitions: { [name]: definition } }
  }

  schema(depth) {
    const { random } = this
    if (depth <= 0 || random.once(4)) return this.leaf()
    return this.keywords(depth)
  }

  /** A schema for members, in which a definition may refer to itself. */
  member(depth) {
    this.inside += 1
    const schema = this.schema(depth)
    this.inside -= 1
    return schema
  }

  leaf() {
    const { random } = this
    switch (this.inside === 0 ? 7 : random.below(8)) {
      case 0:
        return { $ref: this.anchored && random.once(2) ? `#${this.name}` : `#/definitions/${this.name}` }
      case 1:
      case 2:
        return this.late ? random.once(2) : random.pick([{}, { not: {} }])
      case 3:
        return { enum: this.random.some(constants, 3) }
      case 4:
        return this.late ? { const: random.pick(constants) } : { enum: [random.pick(constants)] }
      default:
        return { type: this.type() }
    }
  }

  /** Some keywords of one kind, sometimes of all kinds. */
  keywords(depth) {
    const { random } = this
    const kinds = ['number', 'string', 'array', 'object', 'any']
    const kind = random.pick([...kinds, 'array', 'object', 'any', 'all'])
    const offered =
      kind === 'all' ? Object.assign({}, ...kinds.map((one) => this[one](depth))) : this[kind](depth)
    const chosen = this.random.some(Object.keys(offered), 4)
    const schema = Object.fromEntries(chosen.map((keyword) => [keyword, offered[keyword]()]))
    if (kinds.slice(0, 4).includes(kind) && random.once(2)) schema.type ??= kind
    if (this.random.once(7)) {
      const others = this.any(depth)
      const keyword = random.pick(Object.keys(others))
      schema[keyword] ??= others[keyword]()
    }
    return this.dialect === 'draft4' ? withBounds(schema) : schema
  }

  any(depth) {
    const inner = () => this.schema(depth - 1)
    const list = () => Array.from({ length: 1 + this.random.below(3) }, inner)
    return {
      type: () => this.type(),
      enum: () => this.random.some(constants, 4),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: inner,
      ...(this.late ? { const: () => this.random.pick(constants) } : {}),
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
      ...(this.conditional ? { if: inner, then: inner, else: inner } : {}),
      ...(this.modern && this.inside > 0 && this.random.once(4)
        ? { $ref: () => `#/definitions/${this.name}` }
        : {}),
    }
  }

  number() {
    const { random } = this
    const number = () => random.pick([0, 1, 2, 3, 1.5, -1, 10])
    return {
      minimum: number,
      maximum: number,
      // No tenths: the second validator divides doubles without rounding.
      multipleOf: () => random.pick([1, 2, 3, 1.5, 0.5, 0.25, 4]),
      exclusiveMinimum: this.late ? number : () => true,
      exclusiveMaximum: this.late ? number : () => true,
    }
  }

  string() {
    const { random } = this
    const size = () => random.below(4)
    return { minLength: size, maxLength: size, pattern: () => random.pick(patterns) }
  }

  array(depth) {
    const { random } = this
    const inner = () => this.member(depth - 1)
    const list = () => Array.from({ length: 1 + random.below(3) }, inner)
    const size = () => random.below(4)
    return {
      items: this.last || random.once(2) ? inner : list,
      minItems: size,
      maxItems: size,
      uniqueItems: () => !random.once(5),
      ...(this.last ? { prefixItems: list } : { additionalItems: inner }),
      ...(this.late ? { contains: inner } : {}),
      ...(this.modern ? { minContains: size, maxContains: size, unevaluatedItems: inner } : {}),
    }
  }

  object(depth) {
    const { random } = this
    const inner = () => this.member(depth - 1)
    const map = (keys, of) => () => Object.fromEntries(this.random.some(keys, 2).map((key) => [key, of()]))
    const some = () => this.random.some(names, 2)
    const size = () => random.below(4)
    return {
      properties: map(names, inner),
      patternProperties: map(patterns, inner),
      additionalProperties: inner,
      required: some,
      minProperties: size,
      maxProperties: size,
      ...(this.late ? { propertyNames: inner } : {}),
      ...(this.modern
        ? {
            dependentRequired: map(names, some),
            dependentSchemas: map(names, () => this.schema(depth - 1)),
            unevaluatedProperties: inner,
          }
        : { dependencies: map(names, () => (random.once(2) ? this.schema(depth - 1) : some())) }),
    }
  }

  type() {
    return this.random.once(3) ? this.random.some(typeNames, 3) : this.random.pick(typeNames)
  }
}

/** Draft 4 allows exclusive bounds only next to bounds. */
function withBounds(schema) {
  if (schema.exclusiveMinimum === true) schema.minimum ??= 1
  if (schema.exclusiveMaximum === true) schema.maximum ??= 2
  return schema
}

/** A copy of a schema with one keyword removed, or replaced by another schema's. */
export function changed(schema, other, random) {
  const copy = structuredClone(schema)
  const place = random.pick([...schemasOf(copy)])
  const key = random.pick(Object.keys(place).filter(isChangeable))
  if (key !== undefined && random.once(2)) delete place[key]
  else {
    const giver = random.pick([...schemasOf(other)])
    const given = random.pick(Object.keys(giver).filter(isChangeable))
    if (given !== undefined) place[given] = structuredClone(giver[given])
  }
  return withBounds(copy)
}

const maps = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', 'definitions', '$defs']
const fixed = ['definitions', '$defs', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$id', '$schema']
const isChangeable = (key) => !fixed.includes(key)

function* schemasOf(schema) {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  yield schema
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'const') continue
    if (maps.includes(key) || Array.isArray(value))
      for (const part of Object.values(value)) yield* schemasOf(part)
    else yield* schemasOf(value)
  }
}
