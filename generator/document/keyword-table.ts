import type { DataType } from './field.js'

/** The drafts of JSON Schema that AJV knows, oldest first. */
export const dialects = ['draft4', 'draft6', 'draft7', '2019-09', '2020-12'] as const
export type Dialect = (typeof dialects)[number]

/** Values of `type` (JSON Schema 2020-12, validation, section 6.1.1). */
export const schemaTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const

/** How a keyword holds schemas: one, a list, or a map of them by name. */
export type SchemaHolding = 'schema' | 'schemas' | 'schema-map'

/** How a keyword of an earlier draft holds schemas. */
export type EarlierHolding = SchemaHolding | 'schema-or-schemas' | 'schemas-or-names'

/** What a keyword says about an instance. */
type Role =
  /** Nothing: it names a schema, or keeps schemas that references lead to. */
  | 'identifier'
  /** What its target says. */
  | 'reference'
  /** What its own value says. */
  | 'assertion'
  /** What its schemas say about the same instance (2020-12, core, section 10.2). */
  | 'in-place'
  /** What its schemas say about members, items and names (2020-12, core, section 10.3). */
  | 'child'
  /** Nothing that a validator checks, but programs act on it. */
  | 'note'
  /** Nothing: it is for people. */
  | 'words'
  /** Nothing that a validator checks: Duet acts on it, and lint has a rule of its own for it. */
  | 'extension'

export interface Keyword {
  readonly name: string
  /** Schemas, values that instances have (`value`, `values`), an object of OpenAPI, or plain data. */
  readonly holds: SchemaHolding | 'value' | 'values' | 'discriminator' | 'xml' | 'externalDocs' | DataType
  /** How it held schemas in earlier drafts, if that differs. */
  readonly held?: EarlierHolding
  readonly role: Role
  /** The type of the instances that it describes. Absent: every type. */
  readonly of?: 'number' | 'string' | 'string or number' | 'array' | 'object'
  /** Of an upper bound: the lower bound of the same quantity. */
  readonly least?: string
  /** Of an exclusive bound: the inclusive one. */
  readonly inclusive?: string
  /** The first of the keywords that have a meaning only together. */
  readonly group?: 'properties' | 'prefixItems' | 'contains' | 'if'
  /** Whether it says nothing without the first keyword of its group. */
  readonly isDependent?: true
  /**
   * How its schemas bind an instance. `tentative`: one may fail and the whole schema match. `test`: a wider one may
   * make the whole schema narrower. Absent: each one must match.
   */
  readonly binds?: 'tentative' | 'test'
  /** Whether the keys of its object are names of properties. */
  readonly names?: true
  /** Whether it refuses what its schema accepts, so what that schema describes does not apply. */
  readonly negates?: true
  /** Whether it names a schema, or refers to one by such a name: what it means depends on where its schema is. */
  readonly located?: true
  /**
   * Whether it describes what the keywords next to it, and below them, leave unevaluated (2020-12, core, section 11).
   */
  readonly unevaluated?: true
  /** Whether its list says the same in any order. */
  readonly unordered?: true
  /** The first dialect that has it: by AJV, and by the specification. Absent: the oldest. */
  readonly since?: readonly [byAjv: Dialect, bySpecification: Dialect]
  /** For a keyword that 2020-12 no longer has: what to write in its place. */
  readonly outdated?: string
  /** Whether reading a document replaces it with `type`, as `nullable` of OpenAPI 3.0. */
  readonly upgraded?: true
  /** Whether a review reports a change of these words as a change of the contract. */
  readonly reported?: true
}

export type Row = Omit<Keyword, 'name'>

/**
 * Every keyword that Duet knows, the one list of them: JSON Schema 2020-12, earlier drafts, OpenAPI's base vocabulary
 * and the extensions of schemas. vocabulary.test.ts has an example of each and shows that every part of Duet knows it.
 */
export const rows = {
  // core
  $id: { holds: 'text', role: 'identifier', located: true },
  $schema: { holds: 'text', role: 'identifier' },
  $ref: { holds: 'text', role: 'reference' },
  $anchor: { holds: 'text', role: 'identifier', located: true },
  $dynamicRef: { holds: 'text', role: 'reference', since: ['2019-09', '2020-12'], located: true },
  $dynamicAnchor: { holds: 'text', role: 'identifier', located: true },
  $vocabulary: { holds: 'any', role: 'identifier' },
  $comment: { holds: 'text', role: 'words' },
  $defs: { holds: 'schema-map', role: 'identifier' },
  definitions: { holds: 'schema-map', role: 'identifier' },
  // applicator and unevaluated
  allOf: { holds: 'schemas', role: 'in-place' },
  anyOf: { holds: 'schemas', role: 'in-place', binds: 'tentative' },
  oneOf: { holds: 'schemas', role: 'in-place', binds: 'tentative' },
  not: { holds: 'schema', role: 'in-place', binds: 'test', negates: true },
  if: { holds: 'schema', role: 'in-place', group: 'if', since: ['draft4', 'draft7'], binds: 'test' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { holds: 'schema', role: 'in-place', group: 'if', isDependent: true, binds: 'tentative' },
  else: { holds: 'schema', role: 'in-place', group: 'if', isDependent: true, binds: 'tentative' },
  prefixItems: {
    holds: 'schemas',
    role: 'child',
    of: 'array',
    group: 'prefixItems',
    since: ['2020-12', '2020-12'],
  },
  items: { holds: 'schema', held: 'schema-or-schemas', role: 'child', of: 'array', group: 'prefixItems' },
  contains: {
    holds: 'schema',
    role: 'child',
    of: 'array',
    group: 'contains',
    since: ['draft4', 'draft6'],
    binds: 'test',
  },
  propertyNames: { holds: 'schema', role: 'child', of: 'object', since: ['draft4', 'draft6'], binds: 'test' },
  properties: { holds: 'schema-map', role: 'child', of: 'object', group: 'properties', names: true },
  patternProperties: { holds: 'schema-map', role: 'child', of: 'object', group: 'properties' },
  additionalProperties: { holds: 'schema', role: 'child', of: 'object', group: 'properties' },
  dependentSchemas: {
    holds: 'schema-map',
    role: 'in-place',
    of: 'object',
    since: ['2019-09', '2019-09'],
    binds: 'tentative',
    names: true,
  },
  unevaluatedItems: {
    holds: 'schema',
    role: 'child',
    of: 'array',
    since: ['2019-09', '2019-09'],
    unevaluated: true,
  },
  unevaluatedProperties: {
    holds: 'schema',
    role: 'child',
    of: 'object',
    since: ['2019-09', '2019-09'],
    unevaluated: true,
  },
  // validation
  type: { holds: 'type', role: 'assertion', unordered: true },
  const: { holds: 'value', role: 'assertion' },
  enum: { holds: 'values', role: 'assertion', unordered: true },
  multipleOf: { holds: 'positive', role: 'assertion', of: 'number' },
  maximum: { holds: 'number', role: 'assertion', of: 'number', least: 'minimum' },
  exclusiveMaximum: {
    ...{ holds: 'number', role: 'assertion', of: 'number' },
    ...{ least: 'exclusiveMinimum', inclusive: 'maximum' },
  },
  minimum: { holds: 'number', role: 'assertion', of: 'number' },
  exclusiveMinimum: { holds: 'number', role: 'assertion', of: 'number', inclusive: 'minimum' },
  maxLength: { holds: 'count', role: 'assertion', of: 'string', least: 'minLength' },
  minLength: { holds: 'count', role: 'assertion', of: 'string' },
  pattern: { holds: 'text', role: 'assertion', of: 'string' },
  maxItems: { holds: 'count', role: 'assertion', of: 'array', least: 'minItems' },
  minItems: { holds: 'count', role: 'assertion', of: 'array' },
  uniqueItems: { holds: 'flag', role: 'assertion', of: 'array' },
  minContains: {
    ...{ holds: 'count', role: 'assertion', of: 'array', group: 'contains', isDependent: true },
    since: ['2019-09', '2019-09'],
  },
  maxContains: {
    ...{ holds: 'count', role: 'assertion', of: 'array', group: 'contains', isDependent: true },
    ...{ since: ['2019-09', '2019-09'], least: 'minContains' },
  },
  maxProperties: { holds: 'count', role: 'assertion', of: 'object', least: 'minProperties' },
  minProperties: { holds: 'count', role: 'assertion', of: 'object' },
  required: { holds: 'uniqueTexts', role: 'assertion', of: 'object', unordered: true },
  dependentRequired: {
    holds: 'textsMap',
    role: 'assertion',
    of: 'object',
    since: ['2019-09', '2019-09'],
    names: true,
  },
  // meta-data, format and content
  title: { holds: 'text', role: 'words' },
  description: { holds: 'text', role: 'words' },
  default: { holds: 'value', role: 'note' },
  deprecated: { holds: 'flag', role: 'words', reported: true },
  readOnly: { holds: 'flag', role: 'note' },
  writeOnly: { holds: 'flag', role: 'note' },
  examples: { holds: 'values', role: 'words' },
  format: { holds: 'text', role: 'assertion', of: 'string or number' },
  contentEncoding: { holds: 'text', role: 'note', of: 'string' },
  contentMediaType: { holds: 'text', role: 'note', of: 'string' },
  contentSchema: { holds: 'schema', role: 'note', of: 'string' },
  // OpenAPI
  discriminator: { holds: 'discriminator', role: 'note' },
  xml: { holds: 'xml', role: 'words' },
  externalDocs: { holds: 'externalDocs', role: 'words' },
  example: { holds: 'value', role: 'words' },
  nullable: { holds: 'flag', role: 'assertion', upgraded: true },
  // earlier drafts
  additionalItems: {
    ...{ holds: 'schema', role: 'child', of: 'array' },
    outdated: 'Write items for it, and prefixItems for the list of schemas.',
  },
  dependencies: {
    holds: 'anyMap',
    held: 'schemas-or-names',
    role: 'in-place',
    of: 'object',
    outdated: 'Write dependentRequired for lists of names, and dependentSchemas for schemas.',
  },
  $recursiveRef: {
    holds: 'text',
    role: 'reference',
    since: ['2019-09', '2019-09'],
    located: true,
    outdated: 'Write $dynamicRef.',
  },
  $recursiveAnchor: {
    ...{ holds: 'flag', role: 'identifier', located: true },
    outdated: 'Write $dynamicAnchor.',
  },
  // extensions
  'x-extensible-enum': { holds: 'values', role: 'extension' },
  'x-stability-level': { holds: 'text', role: 'extension' },
  'x-sunset': { holds: 'text', role: 'extension' },
  'x-timezone': { holds: 'flag', role: 'extension', of: 'string' },
} as const satisfies Readonly<Record<string, Row>>

export type KeywordName = keyof typeof rows

/** The keywords whose rows have these columns. */
export type KeywordWith<Columns> = {
  [name in KeywordName]: (typeof rows)[name] extends Columns ? name : never
}[KeywordName]
