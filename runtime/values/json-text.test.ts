import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from './json-text.js'

test('writes a bigint as its digits, at any position', () => {
  const value = {
    a: [9007199254740993n, { b: -1n }],
    c: undefined,
    d: () => 1,
    e: [undefined],
    f: new Date(0),
  }
  expect(jsonText(value)).toBe('{"a":[9007199254740993,{"b":-1}],"e":[null],"f":"1970-01-01T00:00:00.000Z"}')
  expect(jsonText(5n)).toBe('5')
})

test('writes other values as JSON.stringify does, also next to a bigint', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value))
      expect(jsonText([1n, value])).toBe(`[1,${JSON.stringify(value)}]`)
    }),
  )
})

test('a toJSON on BigInt changes nothing', () => {
  Object.assign(BigInt.prototype, { toJSON: () => 'text' })
  try {
    expect(jsonText({ a: 1n })).toBe('{"a":1}')
  } finally {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON')
  }
})

test('throws for a cyclic value', () => {
  const value: { self?: unknown; big: bigint } = { big: 1n }
  value.self = value
  expect(() => jsonText(value)).toThrow(TypeError)
})
