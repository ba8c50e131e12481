import { expect, it } from 'vitest'
import { change, review } from '../../../test/fixtures/review.js'
import type { Change } from '../change/change.js'
import { comparisonHtml } from './html/html.js'
import { headline, operationsOfAlike, rowOf } from './rows.js'

const at = (pointer: string) => ({ pointer, file: 'a', line: 1, column: 1 })

function changed(message: string, more: Partial<Change> = {}): Change {
  return change({ id: 'response-property-became-nullable', level: 'breaking', message, ...more })
}

it.each([
  ['/a/-/b of the request body: it is now required', 'a[].b of the request body is now required'],
  [
    '/- of the query parameter ids: `maximum` was added (3)',
    'items of the query parameter ids: `maximum` was added (3)',
  ],
  [
    'the query parameter limit: `maximum` became smaller (10 to 5)',
    'the query parameter limit: `maximum` became smaller (10 to 5)',
  ],
  [
    '/a~1b of the response default: a value was added to its `enum` ("x")',
    'a/b of the response default gains "x"',
  ],
  [
    '/a of the response 200: 2 values were removed from its `enum` (was "x", "y"); the new schema can hold no value',
    'a of the response 200 loses "x", "y"; the new schema can hold no value',
  ],
  ['/a of the request body: this required property was added', 'a of the request body was added (required)'],
  [
    '/a of the response 200: this optional property was removed',
    'a of the response 200 was removed (optional)',
  ],
  [
    '/a of the request body: this required property with a default was added',
    'a of the request body was added (required, with a default)',
  ],
  [
    '/a of the response 200: this optional property became read-only',
    'a of the response 200 became read-only (optional)',
  ],
  ['/a of the response 200: it may now be null', 'a of the response 200 may now be null'],
  [
    'the header ETag of the response 200: `pattern` changed',
    'the header ETag of the response 200: `pattern` changed',
  ],
  ['GET /a was removed: it is gone', 'GET /a was removed: it is gone'],
])('%s', (message, text) => {
  expect(headline(changed(message))).toBe(text)
})

it('names schema and member, and in one operation also where the schema is', () => {
  const message = '/type of the response 200: a value was added to its `enum` ("x")'
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

it('operations tell apart rows that read alike, those of one row alone first', () => {
  const added = (...operations: string[]): Change =>
    change({
      id: 'new-optional-request-property',
      level: 'compatible',
      operation: operations[0] ?? '',
      operations,
      path: '/card',
      message: '/card of the request body: this optional property was added',
    })
  const [one, other, longer] = [added('a.do', 'b.do'), added('a.do', 'c.do'), added('a.do', 'b.do', 'c.do')]
  expect(operationsOfAlike([one, other, longer])).toEqual(
    new Map([
      [one, ['b.do', 'a.do']],
      [other, ['c.do', 'a.do']],
    ]),
  )
  const page = comparisonHtml({ ...review, changes: [one, longer, other] })
  expect(page.match(/<span>\d operations[^<]*<\/span>/g)).toEqual([
    '<span>2 operations: b.do, a.do</span>',
    '<span>3 operations</span>',
    '<span>2 operations: c.do, a.do</span>',
  ])
})
