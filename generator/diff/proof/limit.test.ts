import { expect, it } from 'vitest'
import { limitOf } from './limit.js'

const ofTries = 'the limit of tries is reached; --proof-time SECONDS sets a time limit instead'

it('a search that uses up far more than a share leaves the next share', () => {
  const work = { tries: 0, steps: 0 }
  const limit = limitOf(work, undefined)
  expect(limit(0.5)).toBeUndefined()
  work.steps = 1_000_000
  expect(limit(0.5)).toBe(ofTries)
  expect(limit(1)).toBeUndefined()
  work.steps = 2_000_000
  expect(limit(1)).toBe(ofTries)
})

it('with a time limit, tries do not count', () => {
  const work = { tries: 1_000_000, steps: 1_000_000 }
  expect(limitOf(work, 1_000_000)(1)).toBeUndefined()
  expect(limitOf(work, 0)(1)).toBe('the time of --proof-time is used up')
})
