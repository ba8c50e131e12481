import { expect, it } from 'vitest'
import { losesPieces } from './lost-pieces.js'

it.each([
  ['events', 'onetwo', true],
  ['events', 'data: one\n', true],
  ['events', 'data: one\n\n', false],
  ['events', '', false],
  ['lines', 'l1l2', true],
  ['lines', '"l1"\n"l2"\n', false],
  ['text', 'onetwo', false],
] as const)('notices %s that have no piece: %j', async (kind, text, lost) => {
  const operations = { a: { rest: { answers: [{ type: '', kind }] } } }
  expect(await losesPieces({ operations } as never, 'a', text)).toBe(lost)
})
