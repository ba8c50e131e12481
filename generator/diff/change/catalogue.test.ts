import { expect, it } from 'vitest'
import { catalogueEntry } from './catalogue.js'
import { documentIds } from './table/document-ids.js'
import { requestIds } from './table/request-ids.js'
import { responseIds } from './table/response-ids.js'

it("has oasdiff's 509 ids, each at one level", () => {
  const ids = [requestIds, responseIds, documentIds].flatMap((known) =>
    [known.breaking, known.dangerous, known.compatible].flatMap((words) => words.trim().split(/\s+/)),
  )
  const named = ids.filter((id) => id !== '')
  expect(named).toHaveLength(509)
  expect(new Set(named).size).toBe(509)
})

it.each([
  ['request-property-max-decreased', { level: 'breaking', direction: 'request', shared: true }],
  ['response-property-max-decreased', { level: 'compatible', direction: 'response', shared: false }],
  ['api-tag-added', { level: 'info', direction: null, shared: true }],
  ['rpc-method-renamed', { level: 'breaking', direction: null, shared: false }],
])('knows %s', (id, expected) => {
  expect(catalogueEntry(id)).toMatchObject(expected)
})

it.each([
  ['request-body-property-names-added', '`propertyNames` was added', 'added'],
  ['response-optional-property-became-read-only', 'this optional property became read-only', 'changed'],
  ['request-property-removed', 'this property was removed', 'removed'],
  ['request-parameter-removed-before-sunset', 'a parameter was removed before its sunset', 'removed'],
  ['endpoint-deprecated', 'an operation was deprecated', null],
])('says what happened by %s, and where the changelog lists it', (id, label, section) => {
  expect(catalogueEntry(id)).toMatchObject({ label, section })
})

it.each(['constructor', '__proto__', 'request-property-maximum'])('knows no %s', (id) => {
  expect(catalogueEntry(id)).toBeUndefined()
})
