import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDirectory } from '../../../test/service-process.js'
import { type EmbeddedDatabase, openEmbedded } from './embedded.js'

let directory: string
let database: EmbeddedDatabase
beforeAll(async () => {
  directory = await newDirectory()
  database = await openEmbedded(join(directory, 'database'))
})
afterAll(async () => {
  await database?.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs work at once, and returns the turn of the event loop in which each piece ended. */
async function turnsOf(work: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await turn()
  })()
  const inTurn = await Promise.all(work.map((piece) => piece().then(() => turns)))
  isOver = true
  await counting
  return inTurn
}

it('gives way to the event loop after each long statement or transaction', async () => {
  const long = 'select pg_sleep(0.01)'
  const query = () => database.query(long)
  const transaction = () => database.transaction((within) => within.query(long))
  const inTurn = await turnsOf(
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? query : transaction)),
  )
  expect(new Set(inTurn).size).toBe(10)
  expect(inTurn).toEqual(inTurn.toSorted((one, other) => one - other))
})

it('runs several short statements in a turn', async () => {
  const inTurn = await turnsOf(Array.from({ length: 200 }, () => () => database.query('select 1')))
  expect(new Set(inTurn).size).toBeLessThan(200)
  expect(inTurn).toEqual(inTurn.toSorted((one, other) => one - other))
})

it('runs the statements after a failed one', async () => {
  const [failed, next] = await Promise.allSettled([
    database.query('select nothing'),
    database.query('select 1 as one'),
  ])
  expect(failed.status).toBe('rejected')
  expect(next).toEqual({ status: 'fulfilled', value: [{ one: 1 }] })
})
