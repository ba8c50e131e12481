import type { HttpRequest } from 'duet-runtime'
import { expect, it } from 'vitest'
import { credentialsIn } from '../server/credentials-in.js'
import { KnownCallers } from './known-callers.js'

const requestWith = (key: string) => ({ headers: { 'x-api-key': key } }) as unknown as HttpRequest

it.each([
  [900_000, [true, '7']],
  [900_001, [false, undefined]],
])('knows a credential and its user for ten minutes after it was last good: at %i', (later, found) => {
  let now = 1
  const callers = new KnownCallers(credentialsIn, () => now)
  const request = requestWith('bk_a')
  callers.add(requestWith('bk_a'), 'bk_a', '7')
  now = 300_000
  callers.add(requestWith('bk_a'), 'bk_a', '7')
  now = later
  expect([callers.knowsAny(request), callers.userOf(request)]).toEqual(found)
})

it('drops a credential that is no longer good', () => {
  const callers = new KnownCallers(credentialsIn)
  const request = requestWith('bk_a')
  callers.add(request, 'bk_a', '7')
  callers.forget('bk_a')
  expect([callers.knows('bk_a'), callers.isAuthenticated(request)]).toEqual([false, true])
})

it('keeps the ten thousand most recently good credentials', () => {
  const callers = new KnownCallers(credentialsIn)
  for (let i = 0; i <= 10_000; i++) callers.add(requestWith(String(i)), String(i))
  expect(['0', '1', '10000'].map((key) => callers.knows(key))).toEqual([false, true, true])
})
