import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areAlike } from './json-alike.js'

function alike(one: string, other: string): readonly [boolean, boolean] {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return [areAlike(a, b), areAlike(b, a)]
}

const spaces = fc.constantFrom(undefined, 1, 2, '\t', '\n', '\r\n ')

describe('two JSON texts', () => {
  it('are alike if they are one value, written with other space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spaces, spaces, (value, one, other) => {
        const texts = [one, other].map((space) => JSON.stringify(value, undefined, space))
        expect(alike(texts[0] ?? '', ` ${texts[1]}\n`)).toEqual([true, true])
      }),
    )
  })

  it('are not if they are two values', () => {
    const differing = fc
      .tuple(fc.jsonValue(), fc.jsonValue(), spaces)
      .filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other))
    fc.assert(
      fc.property(differing, ([one, other, space]) => {
        expect(alike(JSON.stringify(one), JSON.stringify(other, undefined, space))).toEqual([false, false])
      }),
    )
  })

  it.each([
    ['space within a number', '[12]', '[1 2]'],
    ['space within a word', '[true]', '[tr ue]'],
    ['space within a text', '["a b"]', '["ab"]'],
    ['space behind an escaped quote', '["\\" a"]', '["\\"a"]'],
    ['space that JSON does not know', '[1]', '[\v1]'],
    ['no-break space', '[1]', '[\u00a01]'],
    ['a token more', '[1]', '[1]]'],
    ['a member more', '{"a":1}', '{"a":1,"a":1}'],
    ['one text that has no end', '["a"]', '["a'],
    ['one text that is empty', '1', ' '],
    ['a digit more', '1', '12'],
    ['an escape', '["\\u0061"]', '["a"]'],
  ])('are not with %s', (_, one, other) => {
    expect(alike(one, other)).toEqual([false, false])
  })
})
