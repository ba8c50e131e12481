import { expect, it } from 'vitest'
import { ApiError } from './client-error.js'

const problem = { type: 'about:blank', title: 'Not found', status: 404, code: 'not_found' }
const messageOf = (body: unknown, detail?: string) =>
  new ApiError({ ...problem, ...(detail !== undefined && { detail }) }, { operation: 'books.get', body })
    .message

it.each([
  [{ fault: { number: 7, text: 'No book none' } }, 'No book none'],
  [{ message: 'No book', code: 'x' }, 'No book'],
  [{ code: 'no_book', error: { status: 404, message: 'No such book' } }, 'No such book'],
  [{ error: 'invalid_grant', error_description: 'The code has expired' }, 'The code has expired'],
  [{ error: 'No book' }, 'No book'],
  [{ title: 'Gone', detail: 'Book 7 is gone' }, 'Book 7 is gone'],
  [{ errors: [{ message: 'First' }, { message: 'Second' }] }, 'First'],
  [{ message: '', error: { description: 'two\n lines ' } }, 'two lines'],
  ['plain text', 'plain text'],
])('an error message has the text of the document’s own error body: %j', (body, text) => {
  expect(messageOf(body)).toBe(`books.get: ${text} (not_found)`)
})

it('an error message has the title if the body has no text', () => {
  for (const body of [undefined, null, 7, [], {}, { fault: 7 }, { message: 7, error: { number: 1 } }])
    expect(messageOf(body)).toBe('books.get: Not found (not_found)')
  expect(messageOf({ message: 'own' }, 'Of the problem')).toBe('books.get: Of the problem (not_found)')
})

it('an error message stays short whatever the body', () => {
  expect(messageOf({ message: 'a'.repeat(100_000) })).toHaveLength('books.get:  (not_found)'.length + 501)
})
