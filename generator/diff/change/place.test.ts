import { describe, expect, it } from 'vitest'
import { nearness, put, wayOf } from './place.js'

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

describe('a value put at a path', () => {
  it.each([
    [{ a: 1 }, '/a', { a: 'new' }],
    [{ a: [{ b: 1 }, { b: 2 }], c: 3 }, '/a/-/b', { a: [{ b: 'new' }, { b: 2 }], c: 3 }],
    [{ '-': 1 }, '/-', { '-': 'new' }],
    [['a', { b: 1 }], '/1/b', ['a', { b: 'new' }]],
    [['a'], '/1/b', undefined],
    [1, '', 'new'],
    [{ a: 1 }, '/b', undefined],
    [{ a: [] }, '/a/-', undefined],
    [{}, '/constructor', undefined],
  ])('of %j at %j makes %j', (value, path, expected) => {
    expect(put(value, wayOf(path), 'new')).toEqual(expected)
  })
})
