import { expect, it } from 'vitest'
import type { ChangeId } from '../change/catalogue.js'
import { adviceOn } from './advice.js'

it.each<[ChangeId, 'request' | 'response' | null, string]>([
  ['api-removed-without-deprecation', null, 'Stop calling it.'],
  ['endpoint-path-changed', null, 'Call the new path.'],
  ['rpc-method-renamed', null, 'Call it by the new name.'],
  ['api-security-added', null, 'Send credentials that the new version accepts.'],
  ['request-property-became-required', 'request', 'Send it in every call.'],
  ['new-required-request-parameter', 'request', 'Send it in every call.'],
  ['request-parameter-removed', 'request', 'Leave it out.'],
  ['request-property-enum-value-removed', 'request', 'Send only the values that are left.'],
  ['request-parameter-max-decreased', 'request', 'Send only values that the new version accepts.'],
  ['request-parameter-default-value-changed', 'request', 'Send the value that you rely on.'],
  ['response-property-enum-value-added', 'response', 'Accept values that you do not know.'],
  ['response-property-became-nullable', 'response', 'Accept null.'],
  ['response-property-became-optional', 'response', 'Accept responses without it.'],
  ['response-property-type-changed', 'response', 'Read the new type.'],
  ['response-property-max-increased', 'response', 'Accept the values that the new version gives.'],
])('%s: what callers do', (id, direction, advice) => {
  expect(adviceOn({ id, direction, message: '' })).toBe(advice)
})

it('names the credentials that are left', () => {
  const change = {
    id: 'api-security-removed',
    direction: null,
    message: 'the security requirement jwt was removed',
  } as const
  expect(adviceOn(change, 'apiKey')).toBe('Send credentials of apiKey.')
})

it.each([
  [['`maximum` became smaller (1000 to 100)'], 'Send at most 100.'],
  [['`minimum` was added (-1.5)'], 'Send at least -1.5.'],
  [['`exclusiveMaximum` became smaller (9 to 5)'], 'Send less than 5.'],
  [
    ['`minLength` became greater (1 to 3)', '`maxLength` was added (10)'],
    'Send at least 3 characters and at most 10 characters.',
  ],
  [['`maxItems` was added (1)'], 'Send at most 1 item.'],
  [['`multipleOf` was added (5)'], 'Send multiples of 5.'],
  [
    ['`maximum` was added (5)', '`pattern` was added ("a")'],
    'Send only values that the new version accepts.',
  ],
  [['`constructor` was added (5)'], 'Send only values that the new version accepts.'],
])('names the bounds of %j', (facts, advice) => {
  const change = { id: 'request-parameter-max-decreased', direction: 'request', message: '', facts } as const
  expect(adviceOn(change)).toBe(advice)
})
