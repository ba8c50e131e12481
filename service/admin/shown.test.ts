import { expect, it } from 'vitest'
import { shownWait } from './shown.js'

it.each([
  [1, '1 second'],
  [28, '28 seconds'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [855, '15 minutes'],
])('a wait of %d s is %s', (seconds, text) => {
  expect(shownWait(seconds)).toBe(text)
})
