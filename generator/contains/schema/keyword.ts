/** How a keyword holds schemas; keywords that are not here hold none. */
export type Holding = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

export function holding(keyword: string): Holding | undefined {
  return Object.hasOwn(holdings, keyword) ? holdings[keyword] : undefined
}

/** Keywords whose text names a schema. */
export const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** Keywords of a schema that say something about an instance. */
export function telling(schema: { readonly [key: string]: unknown }): string[] {
  return Object.keys(schema).filter(
    (key) => references.has(key) || assertions.has(key) || holding(key) !== undefined,
  )
}

/** Keywords that assert something by data alone. Everything else is annotation. */
const assertions: ReadonlySet<string> = new Set([
  'type',
  'nullable',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
])

const holdings: { readonly [keyword: string]: Holding } = {
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
  then: 'schema',
  else: 'schema',
  properties: 'map',
  patternProperties: 'map',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  unevaluatedProperties: 'schema',
  dependencies: 'map-or-names',
  dependentSchemas: 'map',
  items: 'schema-or-list',
  prefixItems: 'list',
  additionalItems: 'schema',
  contains: 'schema',
  unevaluatedItems: 'schema',
}
