import { describe, expect, it } from 'vitest'
import { formatPointer, parseFragment, parsePointer, valueAt } from './pointer.js'

// RFC 6901 section 5 (plain) and section 6 (as URI fragments), with the values that it gives.
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

describe('a JSON pointer', () => {
  it.each([
    ['', document],
    ['/foo', document.foo],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/m~0n', 8],
  ])('finds what RFC 6901 section 5 says of %j', (pointer, expected) => {
    expect(valueAt(document, parsePointer(pointer) ?? ['none'])).toEqual(expected)
  })

  it.each([
    ['', document],
    ['/c%25d', 2],
    ['/e%5Ef', 3],
    ['/g%7Ch', 4],
    ['/i%5Cj', 5],
    ['/k%22l', 6],
    ['/%20', 7],
  ])('finds what RFC 6901 section 6 says of the fragment %j', (fragment, expected) => {
    expect(valueAt(document, parseFragment(fragment) ?? ['none'])).toEqual(expected)
  })

  it('decodes ~01 to ~1 and not to a slash', () => {
    expect(parsePointer('/~01')).toEqual(['~1'])
    expect(formatPointer(['~1', 'a/b'])).toBe('#/~01/a~1b')
  })

  it('finds neither inherited members, nor elements by a name with a leading zero', () => {
    expect(valueAt({}, ['constructor'])).toBeUndefined()
    expect(valueAt({}, ['__proto__'])).toBeUndefined()
    expect(valueAt(['a', 'b'], ['01'])).toBeUndefined()
    expect(valueAt(['a'], ['length'])).toBeUndefined()
  })
})
