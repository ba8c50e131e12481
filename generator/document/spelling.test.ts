import { expect, it } from 'vitest'
import { closest } from './spelling.js'

it.each([
  ['paramaters', 'parameters'],
  ['requried', 'required'],
  ['operationid', 'operationId'],
  ['tag', 'tags'],
])('takes %s for %s', (word, meant) => {
  expect(closest(word, ['summary', 'parameters', 'required', 'operationId', 'tags'])).toBe(meant)
})

it.each(['colour', 'in', 'names', 'x'])('takes %s for nothing', (word) => {
  expect(closest(word, ['summary', 'parameters', 'required', 'tags', 'in'])).toBeUndefined()
})
