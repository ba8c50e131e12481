import { describe, expect, it } from 'vitest'
import { nearness, wayOf } from './place.js'

describe('a violation', () => {
  it.each([
    ['/items/0/price', '/items/-/price', 'at'],
    ['/items/12/price/net', '/items/-/price', 'within'],
    ['/items', '/items/-/price', 'around'],
    ['', '/limit', 'around'],
    ['/limit', '', 'within'],
    ['/rates/EUR', '/rates/*', 'at'],
    ['/a~1b/c', '/a~1b/c', 'at'],
    ['/items/first/price', '/items/-/price', undefined],
    ['/offset', '/limit', undefined],
  ])('of %j is, seen from %j, %s', (violation, path, expected) => {
    expect(nearness(violation, wayOf(path))).toBe(expected)
  })
})
