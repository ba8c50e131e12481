import { expect, it } from 'vitest'
import { refusesProblems } from './own-problem.js'

const standard = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'number' },
    detail: { type: ['string', 'null'] },
    instance: { type: 'string' },
  },
}
const text = { type: 'string' }
const schemas = new Map<string, object>([
  ['Standard', standard],
  ['Traced', { allOf: [{ $ref: '#/components/schemas/Standard' }, { required: ['traceId'] }] }],
])
const refuses = (schema: object): boolean =>
  refusesProblems(schemas as never, schema as never, new Set(['balance']))

it.each([
  ['the standard problem', standard],
  [
    'one whose members are all required',
    { ...standard, required: ['type', 'title', 'status', 'code', 'requestId'] },
  ],
  [
    'one with a list of violations',
    { ...standard, properties: { errors: { type: 'array', items: { type: 'object' } } } },
  ],
  ['one with a member of the catalogue', { ...standard, required: ['balance'] }],
  ['one whose code is listed', { ...standard, properties: { code: { enum: ['gone'] } } }],
  [
    'a choice',
    { oneOf: [{ $ref: '#/components/schemas/Traced' }, { $ref: '#/components/schemas/Standard' }] },
  ],
])('accepts problems of a service: %s', (_, schema) => {
  expect(refuses(schema)).toBe(false)
})

it.each([
  ['one that requires another member', { $ref: '#/components/schemas/Traced' }],
  ['one that requires detail, which not every problem has', { ...standard, required: ['detail'] }],
  ['one that is closed without code', { ...standard, additionalProperties: false }],
  ['one with an object of errors', { ...standard, properties: { errors: { type: 'object' } } }],
  [
    'one with other violations',
    { properties: { errors: { type: 'array', items: { required: ['field'] } } } },
  ],
  ['one with texts as errors', { properties: { errors: { type: 'array', items: text } } }],
  ['one whose status is a text', { properties: { status: text } }],
  ['a text', text],
  ['a choice of such', { anyOf: [text, { $ref: '#/components/schemas/Traced' }] }],
])('refuses them: %s', (_, schema) => {
  expect(refuses(schema)).toBe(true)
})
