import { beforeAll, expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Side } from '../change/side.js'
import { arePlainlyApart } from './apart.js'

// Schemas that lead to too many others are compared by their plain keywords, without a search.

const empty = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n'
let sides: readonly [Side, Side]
beforeAll(async () => {
  sides = await sidesOf(empty, empty)
})

const branch = (type: string, more: Json = {}): Json => ({
  type: 'object',
  required: ['role'],
  properties: { type: { enum: [type] }, role: { type: 'string' }, more },
})
const told = (type: string, more: Json = {}): Json => ({
  type: 'object',
  required: ['type'],
  properties: { type: { enum: [type] }, more },
})
const either = (...oneOf: Json[]): Json => ({ oneOf })
const isSame = (one: Json, other: Json): boolean => fingerprint(one) === fingerprint(other)

it.each<[string, Json | undefined, Json, boolean]>([
  [
    'a branch within a branch that no other meets',
    told('b', { maxLength: 1 }),
    told('b', { maxLength: 2 }),
    true,
  ],
  [
    'a branch within a branch that another meets',
    told('m', { maxLength: 1 }),
    told('m', { maxLength: 2 }),
    false,
  ],
  [
    'a branch within a branch that came, and another one meets',
    undefined,
    told('m', { maxLength: 2 }),
    false,
  ],
  ['a branch within a branch that came and no other meets', undefined, told('c'), true],
])('%s', (_, old, fresh, expected) => {
  // The first branches always overlap, and stay as they are.
  const [easy, same] = [branch('m'), branch('m', { type: 'string' })]
  const sent = either(same, ...(old === undefined ? [] : [old]))
  expect(arePlainlyApart(sides, [easy, either(same, fresh)], new Map([[1, { sent, isSame }]]))).toBe(expected)
})

it('a branch that only the sender has within a branch counts, for what it shared with others is left to those', () => {
  const [easy, same] = [branch('m'), branch('m', { type: 'string' })]
  const sent = either(same, told('m'))
  expect(arePlainlyApart(sides, [easy, either(same)], new Map([[1, { sent, isSame }]]))).toBe(false)
})

it('branches next to something that differs count as a whole', () => {
  const [easy, same] = [branch('m'), branch('m', { type: 'string' })]
  const sent: Json = { oneOf: [same, told('b')], minProperties: 5 }
  const taken: Json = { oneOf: [same, told('b')], minProperties: 2 }
  expect(arePlainlyApart(sides, [easy, taken], new Map([[1, { sent, isSame }]]))).toBe(false)
})

it('one of two equal branches counts, for a value that matched both now matches one', () => {
  const [easy, same] = [branch('m'), branch('m', { type: 'string' })]
  const sent = either(same, same)
  expect(arePlainlyApart(sides, [easy, either(same)], new Map([[1, { sent, isSame }]]))).toBe(false)
})
