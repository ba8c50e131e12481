import { expect, it } from 'vitest'
import type { Schema } from '../../../schema/schema.js'
import { isInhabited } from './inhabited.js'

const components: Record<string, Schema> = {
  text: { type: 'string', maxLength: 5 },
  nothing: { type: 'string', minLength: 2, maxLength: 1 },
  endless: {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/endless' } },
  },
}
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const holding = (a: Schema): Schema => ({ type: 'object', required: ['a'], properties: { a } })

it.each<Schema>([
  true,
  { description: 'Anything' },
  { type: ['object', 'null'], properties: { a: false } },
  { type: 'string', enum: ['a', 'b'], default: 'a' },
  { type: 'string', enum: ['a', 'two'], minLength: 2 },
  { enum: ['a'], maxLength: 1 },
  { type: 'string', format: 'email', minLength: 1, maxLength: 255 },
  { type: 'array', items: false },
  { anyOf: [ref('nothing'), { type: 'null' }] },
  holding(ref('text')),
  { type: 'object', required: ['a'], additionalProperties: { type: 'integer', format: 'int32' } },
  // What is no keyword excludes nothing: places of changes are operations and parameters, too.
  { summary: 'List', parameters: [], responses: { 200: { description: 'Fine' } } },
  { name: 'a', in: 'query', required: false, schema: { type: 'string', pattern: 'a' } },
])('%j is seen to have a value', (schema) => {
  expect(isInhabited(new Map(Object.entries(components)), schema)).toBe(true)
})

it.each<Schema>([
  false,
  ref('nothing'),
  ref('endless'),
  ref('unknown'),
  holding(ref('nothing')),
  { type: 'string', enum: [1] },
  { type: 'string', enum: [] },
  { type: 'string', enum: ['a', 'b'], minLength: 2 },
  { enum: ['a', '😀'], minLength: 2 },
  { type: [] },
  { type: 'string', format: 'uuid', maxLength: 35 },
  { type: 'string', format: 'uuid', minLength: 37 },
  { type: 'object', required: ['a'], additionalProperties: false },
  { type: 'string', allOf: [{ type: 'null' }] },
  { anyOf: [false, ref('nothing')] },
  { type: 'string', not: {} },
])('%j, which has none, is not', (schema) => {
  expect(isInhabited(new Map(Object.entries(components)), schema)).toBe(false)
})
