import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseSource, startPGlite } from '../../testing/databases.js'
import type { Database } from '../database/database.js'

let source: DatabaseSource
let database: Database
beforeAll(async () => {
  source = await startPGlite()
  database = (await source.empty()).database
})
afterAll(() => source?.stop())

it('runs one statement in each turn of the event loop', async () => {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await turn()
  })()
  const inTurn = await Promise.all(
    Array.from({ length: 30 }, () => database.query('select 1').then(() => turns)),
  )
  isOver = true
  await counting
  expect(new Set(inTurn).size).toBe(30)
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
