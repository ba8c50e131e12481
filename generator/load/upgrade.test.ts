import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../document/document.js'
import { Origins } from './origins.js'
import { parseSource } from './source.js'
import { upgrade } from './upgrade.js'

function upgraded(schema: string): unknown {
  const text = `openapi: 3.0.3\ncomponents:\n  schemas:\n    S: ${schema}\n    N: { type: string, nullable: true }\n`
  const { source } = parseSource('a.yaml', '/a.yaml', text)
  if (source === undefined) throw new Error('not YAML')
  upgrade(source.value as JsonObject, new Origins(source))
  return (source.value as { components: { schemas: { S: unknown } } }).components.schemas.S
}

describe('a 3.0 schema in 3.1 form', () => {
  it.each([
    ['nullable adds null to its type', '{ type: string, nullable: true }', { type: ['string', 'null'] }],
    ['nullable: false goes', '{ type: string, nullable: false }', { type: 'string' }],
    ['nullable without anything that keeps null out goes', '{ nullable: true }', {}],
    [
      'nullable adds null to an enum',
      '{ type: string, nullable: true, enum: [a, b] }',
      { type: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    [
      'nullable adds null to alternatives that have none',
      "{ nullable: true, anyOf: [{ $ref: '#/x' }, { type: string }] }",
      { anyOf: [{ $ref: '#/x' }, { type: 'string' }, { type: 'null' }] },
    ],
    [
      'nullable adds nothing to alternatives of which one is nullable',
      '{ nullable: true, default: null, oneOf: [{ type: string, nullable: true }, { type: array }] }',
      { default: null, oneOf: [{ type: ['string', 'null'] }, { type: 'array' }] },
    ],
    [
      'nullable adds nothing to alternatives of which one refers to a nullable schema',
      "{ nullable: true, anyOf: [{ $ref: '#/components/schemas/N' }, { type: array }] }",
      { anyOf: [{ $ref: '#/components/schemas/N' }, { type: 'array' }] },
    ],
    [
      'nullable makes alternatives of null and a oneOf that refuses it because two branches accept it',
      '{ nullable: true, oneOf: [{ type: string, nullable: true }, { type: array, nullable: true }] }',
      {
        anyOf: [{ oneOf: [{ type: ['string', 'null'] }, { type: ['array', 'null'] }] }, { type: 'null' }],
      },
    ],
    [
      'nullable makes alternatives of allOf and null',
      "{ nullable: true, description: d, allOf: [{ $ref: '#/x' }] }",
      { description: 'd', anyOf: [{ allOf: [{ $ref: '#/x' }] }, { type: 'null' }] },
    ],
    [
      'an exclusive bound takes over the bound',
      '{ type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }',
      { type: 'number', exclusiveMinimum: 1, maximum: 9 },
    ],
    ['an exclusive flag without a bound goes', '{ exclusiveMaximum: true }', {}],
    ['the example becomes the first of examples', '{ example: 7 }', { examples: [7] }],
    [
      'binary becomes a media type of its content',
      '{ type: string, format: binary }',
      { type: 'string', contentMediaType: 'application/octet-stream' },
    ],
    [
      'byte becomes base64 content',
      '{ type: string, format: byte }',
      { type: 'string', contentEncoding: 'base64' },
    ],
    ['other formats stay', '{ type: string, format: date }', { type: 'string', format: 'date' }],
    [
      'beside $ref nothing that 3.0 ignores starts to count',
      "{ $ref: '#/x', minLength: 3, description: d }",
      { $ref: '#/x', description: 'd' },
    ],
    [
      'nullable beside $ref makes alternatives of it and null',
      "{ $ref: '#/x', nullable: true, description: d }",
      { description: 'd', anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
    ],
    [
      'nullable next to a condition, as in documents of 3.1',
      '{ nullable: true, if: { minLength: 2 }, else: { type: string } }',
      { anyOf: [{ if: { minLength: 2 }, else: { type: 'string' } }, { type: 'null' }] },
    ],
    [
      'annotations stay outside of the alternatives of nullable',
      "{ allOf: [{ type: object }], nullable: true, xml: { name: a }, externalDocs: { url: 'https://a.test' } }",
      {
        anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }],
        xml: { name: 'a' },
        externalDocs: { url: 'https://a.test' },
      },
    ],
    [
      'keywords in data stay as they are',
      '{ default: { nullable: true, type: string }, enum: [{ example: 1 }] }',
      { default: { nullable: true, type: 'string' }, enum: [{ example: 1 }] },
    ],
    [
      'properties named like keywords are schemas',
      '{ properties: { nullable: { type: string, nullable: true }, example: { example: a } } }',
      { properties: { nullable: { type: ['string', 'null'] }, example: { examples: ['a'] } } },
    ],
  ])('%s', (_, before, after) => {
    expect(upgraded(before)).toEqual(after)
  })
})
