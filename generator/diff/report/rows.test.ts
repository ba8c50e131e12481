import { expect, it } from 'vitest'
import { change } from '../../../test/fixtures/review.js'
import type { Change } from '../change/change.js'
import { headline, rowOf } from './rows.js'

const at = (pointer: string) => ({ pointer, file: 'a', line: 1, column: 1 })

function changed(message: string, more: Partial<Change> = {}): Change {
  return change({ id: 'response-property-became-nullable', level: 'breaking', message, ...more })
}

it.each([
  ['/a/-/b of the request body: became required', 'a[].b of the request body became required'],
  ['/- of the query parameter ids: max set (3)', 'items of the query parameter ids: max set (3)'],
  [
    'the query parameter limit: max decreased (10 to 5)',
    'the query parameter limit: max decreased (10 to 5)',
  ],
  ['/a~1b of the response default: enum value added ("x")', 'a/b of the response default gains "x"'],
  [
    '/a of the response 200: 2 enum values removed (was "x", "y"); the new schema can hold no value',
    'a of the response 200 loses "x", "y"; the new schema can hold no value',
  ],
  ['/a of the request body: new required request property', 'a of the request body was added (required)'],
  ['/a of the response 200: optional property removed', 'a of the response 200 was removed (optional)'],
  [
    'the header ETag of the response 200: pattern changed',
    'the header ETag of the response 200: pattern changed',
  ],
  ['GET /a was removed: it is gone', 'GET /a was removed: it is gone'],
])('%s', (message, text) => {
  expect(headline(changed(message))).toBe(text)
})

it('names schema and member, and in one operation also where the schema is', () => {
  const message = '/type of the response 200: enum value added ("x")'
  const member = { new: at('#/components/schemas/Order/properties/type'), direction: 'response' } as const
  expect(rowOf(changed(message, { ...member, operation: 'a.get' }))).toEqual({
    where: 'the response 200',
    subject: 'Order.type',
    fact: 'gains "x"',
  })
  expect(rowOf(changed(message, { ...member, operation: 'a.get', operations: ['a.get', 'b.get'] }))).toEqual({
    where: 'responses',
    subject: 'Order.type',
    fact: 'gains "x"',
  })
  expect(rowOf(changed(message, { new: at('#/components/schemas/Type'), operation: 'a.get' }))).toEqual({
    where: 'the response 200',
    subject: 'type (Type)',
    fact: 'gains "x"',
  })
})
