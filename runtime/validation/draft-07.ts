import { isJsonObject, type JsonObject, setMember } from '../values/object.js'

/**
 * Converts a schema from draft 2020-12 to draft-07. The result accepts at least the same values: keywords
 * that only the later draft has, such as `unevaluatedProperties`, are dropped. What negates or chooses between schemas
 * with such keywords is widened too.
 */
export function inDraft07(schema: JsonObject): JsonObject {
  const { $defs, ...root } = schema
  const definitions = isJsonObject($defs) ? $defs : {}
  const converter = new Converter(widenedIn(definitions))
  return {
    ...converter.object(root),
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...(isJsonObject($defs) && { $defs: converter.members($defs) }),
  }
}

/** The definitions that draft-07 expresses only in a wider form. */
function widenedIn(definitions: JsonObject): ReadonlySet<string> {
  const widened = new Set<string>()
  const isKnown = (name: string): boolean => Object.hasOwn(definitions, name) && !widened.has(name)
  let before: number
  do {
    before = widened.size
    for (const name of Object.keys(definitions))
      if (isKnown(name) && !isExact(definitions[name], isKnown)) widened.add(name)
  } while (widened.size > before)
  return widened
}

/**
 * Whether draft-07 accepts the same values.
 *
 * @param isKnown whether it does so for a definition
 */
function isExact(schema: unknown, isKnown: (name: string) => boolean): boolean {
  if (!isJsonObject(schema)) return true
  return Object.keys(schema).every((key) => {
    const value = schema[key]
    if (key === '$ref') return isKnown(definitionOf(value))
    if (widening.has(key)) return false
    if (key === 'contains' && !isPlainContains(schema)) return false
    return partsOf(key, value).every((part) => isExact(part, isKnown))
  })
}

/** Whether `minContains` and `maxContains` say nothing that draft-07 cannot say. */
function isPlainContains({ minContains = 1, maxContains }: JsonObject): boolean {
  return maxContains === undefined && (minContains === 0 || minContains === 1)
}

function partsOf(key: string, value: unknown): unknown[] {
  if (bySchema.has(key)) return [value]
  if (byList.has(key)) return Array.isArray(value) ? value : []
  return byName.has(key) && isJsonObject(value) ? Object.values(value) : []
}

/** The name in `#/$defs/name`. Empty for another reference. */
function definitionOf(reference: unknown): string {
  const [, token] = typeof reference === 'string' ? (/^#\/\$defs\/([^/]*)$/.exec(reference) ?? []) : []
  return token === undefined ? '' : decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
}

class Converter {
  constructor(private readonly widened: ReadonlySet<string>) {}

  object(schema: JsonObject): JsonObject {
    const { $ref, ...others } = schema
    const copy: JsonObject = {}
    for (const key of Object.keys(others)) this.#keyword(key, others, copy)
    if ($ref === undefined) return copy
    // Draft-07 ignores the siblings of a reference.
    return Object.keys(copy).length === 0 ? { $ref } : { allOf: [{ $ref }, copy] }
  }

  members(value: unknown): JsonObject {
    const copy: JsonObject = {}
    if (!isJsonObject(value)) return copy
    for (const name of Object.keys(value)) setMember(copy, name, this.#schema(value[name]))
    return copy
  }

  #schema(schema: unknown): unknown {
    return isJsonObject(schema) ? this.object(schema) : schema
  }

  #list(value: unknown): unknown {
    return Array.isArray(value) ? value.map((part) => this.#schema(part)) : value
  }

  #isExact(schema: unknown): boolean {
    return isExact(schema, (name) => name !== '' && !this.widened.has(name))
  }

  #keyword(key: string, schema: JsonObject, copy: JsonObject): void {
    const value = schema[key]
    if (dropped.has(key) || widening.has(key) || (key === 'contains' && schema.minContains === 0)) return
    if (key === 'not' && !this.#isExact(value)) return
    if (conditional.has(key) && !this.#isExact(schema.if)) {
      const { then: held, else: otherwise } = schema
      if (key === 'if' && held !== undefined && otherwise !== undefined)
        addPart(copy, { anyOf: this.#list([held, otherwise]) })
    } else if (key === 'oneOf' && !partsOf(key, value).every((part) => this.#isExact(part))) {
      addPart(copy, { anyOf: this.#list(value) })
    } else if (key === 'allOf') {
      for (const part of partsOf(key, value)) addPart(copy, this.#schema(part))
    } else if (key === 'dependentRequired' || key === 'dependentSchemas') {
      this.#dependencies(value, copy)
    } else if (key === 'prefixItems') copy.items = this.#list(value)
    else if (key === 'items' && schema.prefixItems !== undefined) copy.additionalItems = this.#schema(value)
    else if (bySchema.has(key)) copy[key] = this.#schema(value)
    else if (byList.has(key)) copy[key] = this.#list(value)
    else if (byName.has(key)) copy[key] = this.members(value)
    else setMember(copy, key, value)
  }

  /** Draft-07 has one keyword for both, and one value for each name. */
  #dependencies(value: unknown, copy: JsonObject): void {
    const dependencies = isJsonObject(copy.dependencies) ? copy.dependencies : {}
    const added = this.members(value)
    if (Object.keys(added).some((name) => Object.hasOwn(dependencies, name)))
      addPart(copy, { dependencies: added })
    else copy.dependencies = { ...dependencies, ...added }
  }
}

function addPart(schema: JsonObject, part: unknown): void {
  schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), part]
}

/** Keywords that draft-07 has no form of, so that a schema without them accepts more. */
const widening = new Set(['$dynamicRef', 'unevaluatedItems', 'unevaluatedProperties'])
/** Keywords that say nothing about values, or that only draft-07 reads. */
const dropped = new Set([
  ...['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$recursiveRef', '$schema', '$vocabulary'],
  ...['additionalItems', 'dependencies', 'maxContains', 'minContains'],
])
const conditional = new Set(['if', 'then', 'else'])
const bySchema = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
])
const byList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const byName = new Set([...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']])
