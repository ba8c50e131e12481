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
