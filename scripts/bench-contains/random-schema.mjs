const names = ['id', 'name', 'tags', 'a', 'b']
const patterns = ['^a', '^[a-z]+$', '^\\d{1,3}$', 'b$', '^(GET|PUT)$', '^x-', '^.{2,4}$']
const values = [
  0,
  1,
  2,
  10,
  -1,
  2.5,
  '',
  'a',
  'ab',
  'x-1',
  null,
  true,
  false,
  [],
  [1],
  ['a', 1],
  {},
  { a: 1 },
  { id: 'a', b: [1] },
]
let definitionCount = 0

/** A schema of random keywords that a person could have written; some refer to themselves. */
export function randomSchema(random, dialect) {
  definitionCount += 1
  const name = `node${definitionCount}`
  const make = new Maker(random, dialect, name)
  const schema = make.schema(3)
  return make.refers ? { ...schema, definitions: { [name]: make.object(2) } } : schema
}

class Maker {
  refers = false

  constructor(random, dialect, name) {
    Object.assign(this, { random, dialect, name })
    this.late = dialect !== 'draft4'
    this.modern = dialect.startsWith('20')
  }

  schema(depth) {
    const { random } = this
    if (depth <= 0) return this.leaf()
    switch (random.below(9)) {
      case 0:
        return this.leaf()
      case 1:
        return this.number()
      case 2:
        return this.string()
      case 3:
      case 4:
        return this.array(depth)
      case 5:
      case 6:
        return this.object(depth)
      default:
        return this.combination(depth)
    }
  }

  leaf() {
    const { random } = this
    if (random.once(6)) {
      this.refers = true
      return { $ref: `#/definitions/${this.name}` }
    }
    if (random.once(4)) return { enum: this.random.some(values, 4) }
    return {
      type: random.pick([
        'null',
        'boolean',
        'number',
        'integer',
        'string',
        'array',
        'object',
        ['string', 'null'],
      ]),
    }
  }

  number() {
    const { random } = this
    const low = random.below(12) - 4
    return this.drawn(
      { type: random.pick(['number', 'integer']) },
      {
        minimum: () => low,
        maximum: () => low + random.below(12),
        multipleOf: () => random.pick([2, 3, 5, 0.5]),
        not: () => ({ enum: [low + 1, low + 2] }),
        ...(this.late ? { exclusiveMaximum: () => low + 9 } : {}),
      },
    )
  }

  string() {
    const { random } = this
    return this.drawn(
      { type: 'string' },
      {
        minLength: () => random.below(4),
        maxLength: () => 3 + random.below(5),
        pattern: () => random.pick(patterns),
        format: () => random.pick(['date', 'email', 'uuid', 'ipv4', 'date-time', 'uri']),
        not: () => ({ pattern: random.pick(patterns) }),
      },
    )
  }

  array(depth) {
    const { random } = this
    const inner = () => this.schema(depth - 1)
    return this.drawn(
      { type: 'array' },
      {
        items: inner,
        minItems: () => random.below(3),
        maxItems: () => 2 + random.below(4),
        uniqueItems: () => true,
        ...(this.late ? { contains: inner } : {}),
        ...(this.modern
          ? { minContains: () => random.below(3), maxContains: () => 2 + random.below(2) }
          : {}),
        ...(this.dialect === '2020-12'
          ? { prefixItems: () => [inner(), inner()], unevaluatedItems: inner }
          : { additionalItems: inner }),
      },
    )
  }

  object(depth) {
    const { random } = this
    const inner = () => this.schema(depth - 1)
    const byName = () => Object.fromEntries(this.random.some(names, 3).map((name) => [name, inner()]))
    return this.drawn(
      { type: 'object', properties: byName() },
      {
        required: () => this.random.some(names, 2),
        additionalProperties: () => (random.once(2) ? false : inner()),
        patternProperties: () => ({ [random.pick(patterns)]: inner() }),
        minProperties: () => random.below(3),
        maxProperties: () => 2 + random.below(3),
        ...(this.late
          ? { propertyNames: () => random.pick([{ minLength: 1 }, { pattern: '^[a-z]+$' }, { enum: names }]) }
          : {}),
        ...(this.modern
          ? {
              dependentRequired: () => ({ [random.pick(names)]: this.random.some(names, 2) }),
              dependentSchemas: () => ({ [random.pick(names)]: inner() }),
            }
          : {
              dependencies: () => ({
                [random.pick(names)]: random.once(2) ? this.random.some(names, 2) : inner(),
              }),
            }),
      },
    )
  }

  combination(depth) {
    const { random } = this
    const inner = () => this.schema(depth - 1)
    const list = () => Array.from({ length: 2 + random.below(2) }, inner)
    switch (random.below(this.dialect === 'draft4' || this.dialect === 'draft6' ? 4 : 5)) {
      case 0:
        return { anyOf: list() }
      case 1:
        return { oneOf: list() }
      case 2:
        return { allOf: list() }
      case 3:
        return { not: inner() }
      default:
        return { if: inner(), then: inner(), else: inner() }
    }
  }

  /** The start plus some of the offered keywords. */
  drawn(start, offered) {
    const chosen = Object.entries(offered).filter(() => this.random.once(3))
    return { ...start, ...Object.fromEntries(chosen.map(([keyword, make]) => [keyword, make()])) }
  }
}
