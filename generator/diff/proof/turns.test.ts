import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import { change } from '../../../test/fixtures/review.js'
import type { JsonObject } from '../../document/document.js'
import { compare } from '../compare.js'
import { prove } from './prove.js'
import { inTurn, unsearched } from './turns.js'

const values = Array.from({ length: 250 }, (_, index) => `v${index}`)

/** `a.get` accepts the values of a list, `b.get` a number. */
function shop(listed: readonly string[], maximum: number): string {
  const get = (operationId: string, schema: JsonObject): JsonObject => ({
    get: {
      operationId,
      parameters: [{ name: 'q', in: 'query', schema }],
      responses: { 200: { description: 'Fine' } },
    },
  })
  const paths = {
    '/a': get('a.get', { type: 'string', enum: [...listed] }),
    '/b': get('b.get', { type: 'integer', maximum }),
  }
  return JSON.stringify({ openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' }, paths })
}

it('many removed values are all proven, and leave time to prove what else breaks', {
  tags: 'long',
}, async () => {
  const sides = await sidesOf(shop(values, 9), shop(values.slice(0, 1), 5))
  const { changes } = await prove(compare(...sides), ...sides)
  expect(changes).toHaveLength(values.length)
  expect(changes.filter(({ proof }) => proof.status !== 'verified')).toEqual([])
})

it('what no time was left for names a change of the same edit that is proven', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((value) =>
    change({
      id: 'request-property-enum-value-removed',
      level: 'breaking',
      operation: value === 'c' ? 'c.get' : 'a.get',
      message: `/size of the request body: a value was removed from its \`enum\` (was "${value}")`,
      fingerprint: value.repeat(16),
    }),
  )
  if (a === undefined || b === undefined || c === undefined) throw new Error('There are three')
  expect(inTurn([a, b, c])).toMatchObject([
    { change: a, first: a },
    { change: c, first: c },
    { change: b, first: a },
  ])
  const verified = { status: 'verified', value: {}, old: 'accepts', new: 'rejects' } as const
  expect(unsearched(a, [{ protocols: ['rest'], proof: verified }])).toMatchObject({
    status: 'alike',
    fingerprint: a.fingerprint,
  })
  expect(unsearched(a, [], 'it is late')).toMatchObject({ reason: 'not searched for: it is late' })
})
