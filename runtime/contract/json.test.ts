import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { checkDepth, MAX_DEPTH, parseJson } from './json.js'

const inexactIn = (text: string) => [...parseJson(text).inexact]
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('numbers that a double would round are named by pointer', () => {
  const text =
    '{"credit": 12345678901234567.89, "list": [1, 9007199254740993], "a/b~": {"x": 1e400}, "fine": 0.1}'
  expect(inexactIn(text)).toEqual(['/credit', '/list/1', '/a~1b~0/x'])
})

test('a lone number is named by the empty pointer', () => {
  expect(inexactIn('9007199254740993')).toEqual([''])
})

test('ignores digits in strings, and long numbers that a double holds', () => {
  expect(inexactIn('{"card": "4111111111111111", "big": 1000000000000000000000}')).toEqual([])
})

test('a member named __proto__ is an ordinary member on the slow path too', () => {
  const { value, inexact } = parseJson('{"__proto__": {"n": 9007199254740993}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect([...inexact]).toEqual(['/__proto__/n'])
  expect(({} as { n?: unknown }).n).toBeUndefined()
})

test(`nesting ${MAX_DEPTH} levels deep is read, one more is a parse_error`, () => {
  expect(inexactIn(nested(MAX_DEPTH))).toEqual([])
  expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow(expect.objectContaining({ code: 'parse_error' }))
  expect(() => parseJson(`[${'{"a":'.repeat(MAX_DEPTH)}1${'}'.repeat(MAX_DEPTH)}]`)).toThrow('nest')
  expect(() => parseJson('['.repeat(1_000_000))).toThrow('nest')
})

test('refuses text with too many values and names before it is parsed', () => {
  const tooMany = expect.objectContaining({ code: 'payload_too_large' })
  // The list, its three values; the object, two names and two values.
  expect(parseJson('[1,2,"[,:"]', 4).value).toEqual([1, 2, '[,:'])
  expect(() => parseJson('[1,2,3,4]', 4)).toThrow(tooMany)
  expect(parseJson('{"a":1,"b":2}', 5).value).toEqual({ a: 1, b: 2 })
  expect(() => parseJson('{"a":1,"b":2,"c":3}', 5)).toThrow(tooMany)
  // Not JSON, but refused for its size, so it was never parsed.
  expect(() => parseJson('[1,2,3,4,nonsense', 4)).toThrow(tooMany)
})

test('space between tokens, however long, changes nothing', () => {
  const tokens = ['[', '1e400', ',', '{', '"a b"', ':', '" , "', ',', '"c"', ':', '[', '-7', ']', '}', ',']
  tokens.push('12345678901234567', ']')
  const tooMany = expect.objectContaining({ code: 'payload_too_large' })
  for (const length of [0, 1, 62, 63, 64, 65, 127, 128, 1_000]) {
    for (const kind of [' ', '\n', '\t \r\n']) {
      const space = kind.repeat(length)
      const text = space + tokens.join(space) + space
      const { value, inexact } = parseJson(text, 9)
      expect([value, [...inexact]]).toEqual([JSON.parse(text), ['/0', '/2']])
      expect(() => parseJson(text, 8)).toThrow(tooMany)
    }
  }
  expect(() => parseJson(' '.repeat(1_000))).toThrow(expect.objectContaining({ code: 'parse_error' }))
})

test('brackets in strings do not nest', () => {
  const text = JSON.stringify({ text: `\\"${'['.repeat(200)}`, more: `${'{'.repeat(200)}\\` })
  expect(parseJson(text).value).toEqual(JSON.parse(text))
})

test.each(['', '{', '{"a": 01}', "{'a': 1}", '[1,]', '{"a": 1} x', `"${'['.repeat(200)}`])(
  '%j is a parse_error',
  (text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'parse_error' }))
  },
)

test('refuses a value that nests deeper than text may', () => {
  expect(() => checkDepth(JSON.parse(nested(MAX_DEPTH)))).not.toThrow()
  expect(() => checkDepth(JSON.parse(nested(MAX_DEPTH + 1)))).toThrow('nest')
})

test('every JSON value is read as JSON.parse reads it, and is exact when a program wrote it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const { value, inexact } = parseJson(text)
      expect(value).toEqual(JSON.parse(text))
      expect([...inexact]).toEqual([])
    }),
    { numRuns: runs(300, 6_000) },
  )
})

test('an integer beyond 2^53 is inexact exactly if BigInt says so', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), (integer) => {
      const printed = String(Number(integer))
      const held = printed.includes('e') ? undefined : BigInt(printed) === integer
      fc.pre(held !== undefined)
      expect(inexactIn(`[${integer}]`)).toEqual(held ? [] : ['/0'])
    }),
    { numRuns: runs(300, 6_000) },
  )
})

describe('duplicate names in an object', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":1,"a":2}}]',
    '{"__proto__":1,"__proto__":2}',
  ])('are refused: %s', (text) => {
    expect(() => parseJson(text)).toThrow('An object has a name twice.')
  })

  test.each([
    '[{"a":1},{"a":1}]',
    '{"a":{"a":":"}}',
    '{"a":"\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"":1," ":2}',
    '":"',
  ])('may be in two objects, or in a text: %s', (text) => {
    expect(parseJson(text).value).toEqual(JSON.parse(text))
  })

  test('do not include inherited names', () => {
    const everyObject = Object.prototype as unknown as Record<string, unknown>
    everyObject.inherited = 1
    try {
      expect(Object.keys(parseJson('{"a":1,"b":{}}').value as object)).toEqual(['a', 'b'])
    } finally {
      delete everyObject.inherited
    }
  })

  test('are counted correctly in any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text).value).toEqual(JSON.parse(text))
      }),
    )
  })
})

test.each(['"12345678901234567890"', '{"1e999":"1e999"}', '[123456789012345,0.5,-1]'])(
  'no digits are looked for where no number has many: %s',
  (text) => expect(parseJson(text).inexact).toEqual([]),
)
