import { expect, it } from 'vitest'
import { RecentlyKnown } from './recently-known.js'

it('knows a credential for ten minutes after it was good last', () => {
  let now = 0
  const known = new RecentlyKnown(() => now)
  expect(known.has('a')).toBe(false)
  known.add('a')
  now = 300_000
  known.add('a')
  now = 899_999
  expect(known.has('a')).toBe(true)
  now = 900_000
  expect(known.has('a')).toBe(false)
})

it('knows whose a credential is while it knows the credential', () => {
  let now = 0
  const known = new RecentlyKnown(() => now)
  known.add('a', '7')
  known.add('b')
  expect([known.userOf('a'), known.userOf('b'), known.userOf('c')]).toEqual(['7', undefined, undefined])
  now = 600_000
  expect(known.userOf('a')).toBeUndefined()
})

it('knows none that is good no longer', () => {
  const known = new RecentlyKnown(() => 0)
  known.add('a')
  known.forget('a')
  expect(known.has('a')).toBe(false)
})

it('keeps ten thousand, of more those that were good last', () => {
  const known = new RecentlyKnown(() => 0)
  for (let i = 0; i <= 10_000; i++) known.add(String(i))
  expect([known.has('0'), known.has('1'), known.has('10000')]).toEqual([false, true, true])
})
