import { expect, it } from 'vitest'
import { builtInErrors } from '../contract/catalogue.js'
import { codesByStatus, olderCodes } from './adapter.js'

/** Codes of the runtime itself, and those of a whole class of statuses: a handler's code never becomes one by its status. */
const ofRuntime = [
  'parse_error',
  'invalid_request',
  'unknown_operation',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'internal_error',
  'invalid_api_key',
  'invalid_token',
  'version_sunset',
]

it('knows of each built-in code whether a code of a newer version may become it', () => {
  const known = [...codesByStatus.values(), ...ofRuntime]
  expect(Object.keys(builtInErrors).filter((code) => !known.includes(code))).toEqual([])
  for (const [status, code] of codesByStatus) expect(builtInErrors[code].status).toBe(status)
})

it('turns a code that the older version does not have into the built-in one for its status or class', () => {
  const entry = (status: number) => ({ title: '', status, rpc: -1 })
  expect(
    olderCodes(
      { taken: entry(409), odd: entry(418), broken: entry(599), kept: entry(409) },
      { kept: entry(409) },
    ),
  ).toEqual({ taken: 'conflict', odd: 'invalid_request', broken: 'internal_error' })
})
