import { expect, test } from 'vitest'
import { cookieParameter } from './cookie.js'

test.each([
  ['as it is', 'session=a; other=b', 'session', 'a'],
  ['as it is, with signs that a cookie may have', "it's=a", "it's", 'a'],
  ['percent-encoded, as clients write it', 'it%27s=a; a%3Bb=c', 'a;b', 'c'],
  ['not at all, for half of a surrogate pair', 'a=b', '\ud800', undefined],
])('finds a cookie parameter by its name %s', (_, header, name, value) => {
  expect(cookieParameter(header, name)).toBe(value)
})
