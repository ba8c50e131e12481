import { SchemaMaker } from './schemas.mjs'

const words = ['a', 'b', 'ab', 'aab', '', '😀', 'é', 'Ab']
const patterns = [
  '^\\p{L}+$',
  '^[^\\x00-\\x7f]+$',
  '^[\\u00e0-\\u00ff]',
  '^.{1,2}$',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  '^(a|b)+$',
  '^a{2,3}$',
  '^(?!ab)[ab]+$',
  '\\d{4}-\\d{2}-\\d{2}',
  '^\\S*$',
  '^[\\w.-]+$',
  '^$|^a',
  '[A-Z]',
]
const formats = ['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uri', 'hostname', 'time', 'regex', 'uuid']
const names = ['a', 'b', 'ab', 'x-a']

/**
 * Creates schemas in the shape of published ones: named definitions that refer to each other and to
 * themselves, closed objects, unions by a kind, decimal numbers, negations, addresses within the document.
 */
export class ShapeMaker extends SchemaMaker {
  document() {
    const { random } = this
    this.names = ['p', 'q', 'r']
    const holder = this.modern ? '$defs' : 'definitions'
    this.holder = holder
    this.inside = 0
    const definitions = {}
    this.dynamic = this.last && random.once(3)
    this.recursive = this.dialect === '2019-09' && random.once(3)
    for (const name of this.names) {
      this.later = this.names.slice(this.names.indexOf(name) + 1)
      definitions[name] = this.definition(2)
      if (!random.once(3)) continue
      if (this.modern && random.once(2)) definitions[name].$anchor = name
      else if (this.late && random.once(4)) definitions[name].$id = `https://example.org/${name}`
    }
    this.later = this.names
    const root = { ...this.definition(2), [holder]: definitions }
    if (this.dynamic) {
      definitions.p.$dynamicAnchor = 'node'
      if (random.once(2)) root.$dynamicAnchor = 'node'
    }
    if (this.recursive) {
      root.$recursiveAnchor = true
      if (random.once(2)) definitions.p.$recursiveAnchor = true
    }
    // In a schema with an address of its own, pointers are relative to it.
    for (const name of this.names)
      if (definitions[name].$id !== undefined) rebased(definitions[name], holder, this.names, random)
    return root
  }

  definition(depth) {
    const made = this.shape(depth)
    return made.$ref === undefined ? made : { allOf: [made] }
  }

  refer() {
    const { random } = this
    if (this.inside === 0)
      return this.later.length > 0
        ? { $ref: `#/${this.holder}/${random.pick(this.later)}` }
        : { type: 'string' }
    if (this.dynamic && random.once(3)) return { $dynamicRef: '#node' }
    if (this.recursive && random.once(3)) return { $recursiveRef: '#' }
    return { $ref: random.once(6) ? '#' : `#/${this.holder}/${random.pick(this.names)}` }
  }

  shape(depth) {
    const { random } = this
    if (depth <= 0) return this.plain()
    const inner = () => (random.once(4) ? this.refer() : this.shape(depth - 1))
    const within = () => {
      this.inside += 1
      const made = inner()
      this.inside -= 1
      return made
    }
    const some = (list, most = 3) => this.random.some(list, most)
    switch (random.below(16)) {
      case 0:
      case 1:
      case 2: {
        const properties = Object.fromEntries(some(names).map((name) => [name, within()]))
        return {
          type: 'object',
          properties,
          ...(random.once(2) && { required: some(names, 2) }),
          ...(random.once(2) && { additionalProperties: random.once(2) ? this.never() : within() }),
          ...(random.once(4) && { patternProperties: { [random.pick(patterns)]: within() } }),
          ...(this.late && random.once(4) && { propertyNames: this.text() }),
          ...(random.once(6) && { maxProperties: random.below(3) }),
        }
      }
      case 3:
      case 4: {
        const items = this.modern && !this.last && random.once(3) ? [within(), within()] : within()
        return {
          type: 'array',
          items,
          ...(random.once(3) && { uniqueItems: true }),
          ...(random.once(3) && { minItems: random.below(4) }),
          ...(random.once(3) && { maxItems: random.below(4) }),
          ...(this.late && random.once(3) && { contains: within() }),
          ...(this.modern && random.once(4) && { minContains: random.below(3) }),
          ...(this.modern && random.once(4) && { maxContains: random.below(3) }),
          ...(this.last && random.once(3) && { prefixItems: [within(), within()] }),
        }
      }
      case 5:
        return { anyOf: [inner(), inner()] }
      case 6:
        return { oneOf: [inner(), inner()] }
      case 7:
        return { allOf: [inner(), inner()] }
      case 8:
        return { not: inner() }
      case 9:
        // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
        return this.conditional ? { if: inner(), then: inner(), else: inner() } : { not: { not: inner() } }
      case 10:
        return this.union(within)
      case 11:
        return this.modern
          ? {
              allOf: [inner(), inner()],
              ...(random.once(2)
                ? { unevaluatedProperties: random.once(2) ? false : inner() }
                : { unevaluatedItems: random.once(2) ? false : inner() }),
            }
          : { dependencies: { a: random.once(2) ? some(names, 2) : inner() } }
      case 12:
        return this.modern
          ? { dependentSchemas: { a: inner() }, dependentRequired: { b: some(names, 2) } }
          : { dependencies: { a: inner(), b: some(names, 2) } }
      case 13:
        return { not: { [random.pick(['anyOf', 'allOf', 'oneOf'])]: [inner(), inner()] } }
      case 14:
        return {
          type: 'array',
          items: { enum: some(words, 4) },
          uniqueItems: true,
          minItems: random.below(4),
        }
      default:
        return this.plain()
    }
  }

  /** Alternatives that a property distinguishes. */
  union(within) {
    const { random } = this
    const kinds = this.random.some(['cat', 'dog', 'fox'], 3)
    const branches = kinds.map((kind) => ({
      type: 'object',
      properties: { kind: { enum: [kind] }, a: within() },
      required: random.once(4) ? ['a'] : ['kind'],
      ...(random.once(3) && { additionalProperties: this.never() }),
    }))
    return { [random.pick(['oneOf', 'anyOf'])]: branches }
  }

  plain() {
    const { random } = this
    switch (random.below(6)) {
      case 0:
        return this.text()
      case 1:
        return this.decimal()
      case 2:
        return { enum: this.random.some([...words, 1, 2, null, true, [], {}, 0.5], 5) }
      case 3:
        return { type: this.random.some(['string', 'null', 'integer', 'number', 'boolean'], 3) }
      case 4:
        return this.refer()
      default:
        return random.once(2) ? {} : { type: 'object' }
    }
  }

  text() {
    const { random } = this
    return {
      type: 'string',
      ...(random.once(2) && { pattern: random.pick(patterns) }),
      ...(random.once(3) && { minLength: random.below(4) }),
      ...(random.once(3) && { maxLength: random.below(5) }),
      ...(random.once(4) && { format: random.pick(formats) }),
    }
  }

  decimal() {
    const { random } = this
    const bound = () => random.pick([0, 1, 2.5, -1, 0.1, 100, 1e3])
    return {
      type: random.pick(['number', 'integer']),
      // Only quarters, since validators divide doubles.
      ...(random.once(2) && { multipleOf: random.pick([0.5, 0.25, 2, 3, 10, 0.75]) }),
      ...(random.once(2) && { minimum: bound() }),
      ...(random.once(2) && { maximum: bound() }),
      ...(random.once(4) &&
        (this.late ? { exclusiveMinimum: bound() } : { minimum: 1, exclusiveMinimum: true })),
    }
  }

  never() {
    return this.late || this.random.once(2) ? false : { not: {} }
  }
}

/**
 * Rewrites the references of a schema with an address: to the schema itself, or to another one by address.
 */
function rebased(schema, holder, all, random) {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema))
    if (key === '$ref' && value.startsWith(`#/${holder}/`)) {
      const name = value.slice(holder.length + 3)
      schema.$ref = random.once(2) ? `https://example.org/${name}` : '#'
      if (!all.includes(name)) schema.$ref = '#'
    } else rebased(value, holder, all, random)
}
