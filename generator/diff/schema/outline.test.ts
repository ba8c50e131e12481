import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'
import { fingerprint } from '../../schema/canonical.js'
import { outline } from './outline.js'

const document = `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n`

it.each(['allOf', 'anyOf', 'oneOf'])('grows with the depth of %s, and no faster', async (keyword) => {
  const [side] = await sidesOf(document, document)
  const nested = (depth: number): Json =>
    depth === 0 ? { type: 'string' } : { [keyword]: [nested(depth - 1), { title: 'A', maxLength: 9 }] }
  const length = (depth: number): number => fingerprint(outline(side, nested(depth))).length
  expect(length(40) - length(20)).toBe(length(20) - length(0))
})

it('is the same for alternatives in another order', async () => {
  const [side] = await sidesOf(document, document)
  const [a, b] = [{ type: 'string' }, { enum: [1, 2] }]
  expect(outline(side, { anyOf: [b, a] })).toEqual(outline(side, { anyOf: [a, { enum: [2, 1] }] }))
})
