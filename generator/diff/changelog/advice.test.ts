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
  expect(adviceOn({ id, direction })).toBe(advice)
})
