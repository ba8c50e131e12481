import { expect, expectTypeOf, test } from 'vitest'
import { queryOptionsOf } from './tanstack-query.js'

interface Types {
  'clients.get': { params: { id: number }; result: { name: string } }
  'clients.list': { params: { limit?: number }; result: string[] }
}

const calls: unknown[] = []
const client = {
  call: async (...args: unknown[]) => {
    calls.push(args)
  },
}
const { queryOptions, mutationOptions } = queryOptionsOf<Types>(client as never)

test('a query has operation and params as its key, and passes the signal on', async () => {
  const { queryKey, queryFn } = queryOptions('clients.get', { id: 7 })
  const { signal } = new AbortController()
  await queryFn({ signal })
  expect(queryKey).toEqual(['clients.get', { id: 7 }])
  expect(calls.pop()).toEqual(['clients.get', { id: 7 }, { signal }])
  expectTypeOf(queryFn).returns.resolves.toEqualTypeOf<{ name: string }>()
  // @ts-expect-error clients.get needs an id
  queryOptions('clients.get')
  expect(queryOptions('clients.list').queryKey).toEqual(['clients.list', undefined])
})

test('a mutation takes the params as its variables', async () => {
  const { mutationKey, mutationFn } = mutationOptions('clients.get')
  await mutationFn({ id: 7 })
  expect(mutationKey).toEqual(['clients.get'])
  expect(calls.pop()).toEqual(['clients.get', { id: 7 }])
})

test('a bigint in the params has its digits in the key, which is JSON', () => {
  const options = queryOptionsOf<{ 'orders.get': { params: { id: bigint; ids: bigint[] }; result: string } }>(
    client as never,
  )
  const { queryKey } = options.queryOptions('orders.get', { id: 9007199254740993n, ids: [1n] })
  expect(JSON.stringify(queryKey)).toBe('["orders.get",{"id":"9007199254740993","ids":["1"]}]')
})
