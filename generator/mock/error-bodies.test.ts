import type { Contract, Problem, Validator } from 'duet-runtime'
import { expect, it } from 'vitest'
import type { Failure, Model } from '../model/model.js'
import { errorBodiesOf } from './error-bodies.js'

const problem: Problem = {
  type: 'urn:problem-type:gone',
  title: 'Gone',
  status: 410,
  code: 'gone',
  detail: 'By fire.',
}
const declared = { operation: 'a.get', response: '4XX', schema: 'Fault' }
const schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string', minLength: 3 } },
    },
  },
}

/** Replaces a generated validator: the message must have at least three letters. */
const validator: Validator = (value) =>
  String((value as { error?: { message?: string } }).error?.message ?? '').length >= 3

function bodiesOf(examples: Failure['examples']) {
  const failures = [{ response: '4XX', type: 'application/json', schema, examples }]
  const model = { schemas: new Map(), operations: [{ name: 'a.get', failures }] } as unknown as Model
  const contract = { validators: { 'a.get': { errors: { '4XX': validator } } } } as unknown as Contract
  return errorBodiesOf(model, contract, '1')
}

it('shows the first valid example of an error body', () => {
  const [short, good, other] = ['no', 'As shown.', 'Never.'].map((message) => ({ error: { message } }))
  if (short === undefined || good === undefined || other === undefined) throw new Error('Three examples')
  expect(bodiesOf([short, good, other])(problem, declared)).toEqual(good)
})

it('creates an error body from the schema, with the text of the problem', () => {
  expect(bodiesOf([])(problem, declared)).toEqual({ error: { message: 'By fire.' } })
})

it('fills members named code and status, if the schema accepts them', () => {
  const flat = (properties: object, accepts: (body: Record<string, unknown>) => boolean = () => true) => {
    const fault = { type: 'object', required: Object.keys(properties), properties }
    const failures = [{ response: '4XX', type: 'application/json', schema: fault, examples: [] }]
    const model = { schemas: new Map(), operations: [{ name: 'a.get', failures }] } as unknown as Model
    const errors = { '4XX': (body: unknown) => accepts(body as Record<string, unknown>) }
    const contract = { validators: { 'a.get': { errors } } } as unknown as Contract
    return errorBodiesOf(model, contract, '1')(problem, declared)
  }
  const text = { type: 'string' }
  const integer = { type: 'integer' }
  const own = { error_code: text, error_message: text, status: integer }
  expect(flat(own)).toEqual({ error_code: 'gone', error_message: 'By fire.', status: 410 })
  expect(flat({ code: integer, statusCode: text })).toEqual({ code: 410, statusCode: '410' })
  const list = {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: { type: 'object', required: ['code'], properties: { code: text } },
  }
  expect(flat({ errors: list })).toEqual({ errors: [{ code: 'gone' }] })
  const fixed = { code: { const: 'fire' }, message: text }
  expect(flat(fixed, ({ code }) => code === 'fire')).toEqual({ code: 'fire', message: 'By fire.' })
})

it.each([
  ['gone', 410, 'gone'],
  ['version_sunset', 410, 'gone'],
  ['not_found', 404, 'not_found_error'],
  ['unauthenticated', 401, 'auth'],
  ['validation_failed', 400, 'BadRequest'],
  ['internal_error', 500, 'server'],
])(
  'chooses of an enum what is most like the code, else like the status: %s (%i) is %s',
  (code, status, kind) => {
    const kinds = ['auth', 'gone', 'not_found_error', 'conflict', 'BadRequest', 'server']
    const inner = { type: 'object', required: ['type'], properties: { type: { enum: kinds } } }
    const fault = {
      type: 'object',
      required: ['error'],
      properties: { error: { $ref: '#/components/schemas/Inner' } },
    }
    const failures = [{ response: '4XX', type: 'application/json', schema: fault, examples: [] }]
    const schemas = new Map([['Inner', inner]])
    const model = { schemas, operations: [{ name: 'a.get', failures }] } as unknown as Model
    const errors = {
      '4XX': (body: unknown) => kinds.includes((body as { error: { type: string } }).error.type),
    }
    const contract = { validators: { 'a.get': { errors } } } as unknown as Contract
    const body = errorBodiesOf(model, contract, '1')({ ...problem, code, status }, declared)
    expect(body).toEqual({ error: { type: kind } })
  },
)

it('leaves a text out that the schema does not allow there', () => {
  const body = bodiesOf([])({ ...problem, detail: 'no' }, declared)
  expect(validator(body)).toBe(true)
})

it('returns problems if the document declares no body', () => {
  expect(bodiesOf([])(problem, undefined)).toBeUndefined()
})
