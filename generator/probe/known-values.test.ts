import { expect, it } from 'vitest'
import type { Operation } from '../model/model.js'
import { Random } from '../samples/random.js'
import { KnownValues } from './known-values.js'
import { noData } from './test-data.js'

const list = { rest: { path: '/items', parameters: [] } } as unknown as Operation
const one = {
  name: 'items.get',
  params: {},
  rest: { path: '/items/{id}', parameters: [{ name: 'id', param: 'id', in: 'path' }] },
} as unknown as Operation

function idsAfter(count: number): unknown[] {
  const known = new KnownValues(noData)
  known.learn(
    list,
    Array.from({ length: count }, (_, index) => ({ id: index + 1 })),
  )
  const [first = {}] = known.variants(one, {})
  return [first, ...known.others(one, first, new Random('1'))].map(({ id }) => id)
}

it.each([1, 2, 3, 30])('has the first id of a list with %i items, the last one, and another', (count) => {
  const [first, last, third, ...more] = idsAfter(count)
  expect(first).toBe(1)
  expect(last).toBe(count === 1 ? undefined : count)
  expect(more).toEqual([])
  if (count < 3) expect(third).toBeUndefined()
  else expect(third).toSatisfy((id: number) => id > 1 && id < count)
})
