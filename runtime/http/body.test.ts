import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readJson } from './body.js'

/** The turn of the event loop in which each body is read, if all have arrived. */
async function turnsOf(bodies: readonly string[]): Promise<number[]> {
  let turn = 0
  let immediate = setImmediate(function count() {
    turn += 1
    immediate = setImmediate(count)
  })
  const turns: number[] = []
  const rule = {
    limit: 1_000_000,
    values: 1_000_000,
    parts: 1,
    acceptParsed: false,
    work: { spent: () => turns.push(turn) },
  }
  await Promise.all(
    bodies.map((body) => {
      const request = Object.assign(Readable.from([Buffer.from(body)]), { headers: {}, complete: true })
      return readJson(request as unknown as IncomingMessage, rule)
    }),
  )
  clearImmediate(immediate)
  return turns
}

test('reads one long body per turn of the event loop', async () => {
  const turns = await turnsOf(Array(4).fill(`[${' '.repeat(20_000)}]`))
  const [first = 0] = turns
  expect(turns).toEqual([first, first + 1, first + 2, first + 3])
})

test('reads short bodies at once', async () => {
  expect(new Set(await turnsOf(Array(4).fill('[]'))).size).toBe(1)
})
