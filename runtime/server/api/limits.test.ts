import { expect, test } from 'vitest'
import { limitsOf } from './limits.js'

test('missing and undefined limits have their defaults', () => {
  const defaults = {
    bodyBytes: 1_048_576,
    anonymousBodyBytes: 16_384,
    bodyValues: 20_000,
    bodyParts: 1_000,
    answerBytes: 16_777_216,
    batchLength: 100,
    batchParallel: 10,
    streamKeepAliveMs: 15_000,
    streamStallMs: 120_000,
  }
  expect(limitsOf()).toEqual(defaults)
  expect(limitsOf({ callMs: 250 })).toEqual({ ...defaults, callMs: 250 })
  expect(limitsOf({ bodyBytes: 1000 })).toMatchObject({ bodyBytes: 1000, anonymousBodyBytes: 1000 })
  expect(limitsOf({ bodyBytes: undefined, batchLength: 5 })).toEqual({ ...defaults, batchLength: 5 })
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%s is no limit', (value) => {
  for (const name of [
    'bodyBytes',
    'anonymousBodyBytes',
    'bodyValues',
    'bodyParts',
    'answerBytes',
    'batchLength',
    'batchParallel',
    'streamKeepAliveMs',
    'streamStallMs',
  ]) {
    expect(() => limitsOf({ [name]: value })).toThrow(
      `limits.${name} is ${value}: it must be an integer from 1`,
    )
  }
})

test.each([0, -1, 1.5, 2 ** 31])('%s is no time that a call or a stream may take', (ms) => {
  for (const name of ['callMs', 'streamMs', 'streamIdleMs'])
    expect(() => limitsOf({ [name]: ms })).toThrow(`limits.${name} is ${ms}: it must be an integer from 1`)
})
