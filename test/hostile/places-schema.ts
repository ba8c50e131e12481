import { one, put, schema, type Tree, within } from './document.js'
import type { TextPosition } from './places.js'

/** A component schema, and an operation that accepts and returns it. */
const keyword =
  (name: string, value: (text: string) => Tree): TextPosition =>
  (document, text) =>
    schema(document, name, value(text))

const string = { type: 'string' }

/** Positions in schemas. */
export const schemaPlaces: Readonly<Record<string, TextPosition>> = {
  'title of a schema': keyword('Titled', (title) => ({ ...string, title })),
  'description of a schema': keyword('Described', (description) => ({ ...string, description })),
  'comment of a schema': keyword('Commented', ($comment) => ({ ...string, $comment })),
  property: keyword('Property', (name) => ({
    type: 'object',
    properties: one(name, { ...string, description: name }),
  })),
  'property of a closed object': keyword('Closed', (name) => ({
    type: 'object',
    properties: one(name, string),
    additionalProperties: false,
  })),
  'property that is required': keyword('Required', (name) => ({ type: 'object', required: [name] })),
  'property read-only': keyword('ReadOnly', (name) => ({
    type: 'object',
    properties: one(name, { ...string, readOnly: true }),
    required: [name],
  })),
  'property with a default': keyword('Defaulted', (name) => ({
    type: 'object',
    properties: one(name, { ...string, default: name }),
  })),
  'property of a datetime': keyword('Dated', (name) => ({
    type: 'object',
    properties: one(name, { type: 'string', format: 'date-time', 'x-timezone': true }),
  })),
  'property deep inside': keyword('Deep', (name) => ({
    type: 'array',
    items: { type: 'object', properties: one(name, { type: 'object', properties: one(name, string) }) },
  })),
  'pattern of properties': keyword('Patterned', (pattern) => ({
    type: 'object',
    patternProperties: one(pattern, string),
  })),
  'names of properties': keyword('Named', (pattern) => ({ type: 'object', propertyNames: { pattern } })),
  'dependent schema': keyword('Dependent', (name) => ({
    type: 'object',
    dependentSchemas: one(name, { required: [name] }),
    dependentRequired: one(name, [name]),
  })),
  'unevaluated beside': keyword('Unevaluated', (name) => ({
    allOf: [{ type: 'object', properties: one(name, string) }],
    unevaluatedProperties: false,
  })),
  condition: keyword('Conditional', (name) => ({
    type: 'object',
    properties: one(name, string),
    if: { properties: one(name, { const: name }) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: [name] },
    else: { not: { required: [name] } },
  })),
  type: keyword('TypeNamed', (type) => ({ type })),
  enum: keyword('Enum', (value) => ({ enum: [value, 'other'] })),
  'enum of objects': keyword('EnumOfObjects', (value) => ({ enum: [one(value, value), [value]] })),
  'extensible enum': keyword('ExtensibleEnum', (value) => ({
    ...string,
    'x-extensible-enum': [value, 'other'],
  })),
  const: keyword('Const', (value) => ({ const: value })),
  'const object': keyword('ConstObject', (value) => ({ const: one(value, [value]) })),
  default: keyword('Default', (value) => ({
    type: 'object',
    properties: { a: { ...string, default: value } },
  })),
  'default object': keyword('DefaultObject', (value) => ({
    type: 'object',
    properties: { a: { type: 'object', default: one(value, value) } },
  })),
  example: keyword('Example', (value) => ({ ...string, example: value, examples: [value] })),
  'example object': keyword('ExampleObject', (value) => ({
    type: 'object',
    examples: [one(value, { $ref: value })],
  })),
  pattern: keyword('Pattern', (pattern) => ({ ...string, pattern })),
  'pattern and default': keyword('PatternDefault', (pattern) => ({
    type: 'object',
    properties: { a: { ...string, pattern, default: `${'a'.repeat(40)}!` } },
  })),
  format: keyword('Format', (format) => ({ ...string, format })),
  'media type of content': keyword('Content', (value) => ({
    ...string,
    contentMediaType: value,
    contentEncoding: value,
  })),
  limit: keyword('Limit', (value) => ({ type: 'number', minimum: value, multipleOf: value })),
  discriminator: keyword('Discriminated', (propertyName) => ({
    discriminator: { propertyName },
    oneOf: [
      {
        type: 'object',
        title: 'One',
        required: [propertyName],
        properties: one(propertyName, { const: 'One' }),
      },
    ],
  })),
  'key of a mapping': (document, text) =>
    mapped(document, 'MappedByKey', one(text, '#/components/schemas/MappedByKeyOne')),
  'value of a mapping': (document, text) => mapped(document, 'MappedByValue', { one: text }),
  'value of a mapping by reference': (document, text) =>
    mapped(document, 'MappedByReference', { one: `#/components/schemas/${text}` }),
  'name of a definition': keyword('Definitions', (name) => ({ ...string, $defs: one(name, string) })),
  anchor: keyword('Anchor', ($anchor) => ({ ...string, $anchor })),
  identifier: keyword('Identifier', ($id) => ({ ...string, $id })),
  'reference of a schema': keyword('Reference', ($ref) => ({ $ref })),
  'reference to a component': keyword('ReferenceToComponent', (name) => ({
    $ref: `#/components/schemas/${name}`,
  })),
  'dynamic reference': keyword('DynamicReference', ($dynamicRef) => ({ $dynamicRef })),
  'keyword that is unknown': keyword('Unknown', (name) => ({ ...string, ...one(name, name) })),
  'names of XML': keyword('Xml', (name) => ({ ...string, xml: { name, namespace: name, prefix: name } })),
  'documents elsewhere': keyword('External', (url) => ({
    ...string,
    externalDocs: { url, description: url },
  })),
  provenance: keyword('Provenance', (value) => ({ ...string, 'x-provenance': value })),
  'param of a property': keyword('ParamOfProperty', (name) => ({
    type: 'object',
    properties: { a: { ...string, 'x-rpc-param': name } },
  })),
}

function mapped(document: Tree, name: string, mapping: Tree): void {
  const part = { type: 'object', required: ['kind'], properties: { kind: string } }
  put(within(document, 'components', 'schemas'), `${name}One`, part)
  const oneOf = [{ $ref: `#/components/schemas/${name}One` }]
  schema(document, name, { oneOf, discriminator: { propertyName: 'kind', mapping } })
}
