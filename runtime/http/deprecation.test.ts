import { expect, it } from 'vitest'
import type { Operation } from '../contract/operation.js'
import { deprecationHeaders } from './deprecation.js'

const headersOf = (deprecation?: Operation['deprecation']) =>
  deprecationHeaders({ deprecation } as unknown as Operation)

// RFC 9745, section 2.1: the field is a date. RFC 8594, section 3: a sunset needs no deprecation.
it('a deprecated operation has a header for each date that is known', () => {
  const sunset = 'Wed, 30 Jun 2027 00:00:00 GMT'
  expect(headersOf({ since: 1_767_225_600, sunset: 1_814_313_600 })).toEqual({
    Deprecation: '@1767225600',
    Sunset: sunset,
  })
  expect(headersOf({ sunset: 1_814_313_600 })).toEqual({ Sunset: sunset })
  expect(headersOf({})).toEqual({})
  expect(headersOf()).toEqual({})
})
