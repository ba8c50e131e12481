import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, freePort, startPostgres } from '../testing/databases.js'
import { openPostgres } from './postgres.js'

describe('PostgreSQL', () => {
  let source: DatabaseSource
  beforeAll(async () => {
    source = await startPostgres()
  })
  afterAll(() => source?.stop())

  it('that nobody serves is one line without the password', async () => {
    const url = `postgres://user:hunter2hunter2@127.0.0.1:${await freePort()}/billing`
    const failure = await openPostgres(url).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      exitCode: 1,
      lines: [expect.stringMatching(/^DATABASE_URL: the database can't be reached: .*ECONNREFUSED/)],
    })
    expect(String(failure)).not.toContain('hunter2')
  })

  it('is told the session settings beside those of the URL', async () => {
    const { url } = await source.empty()
    const database = await openPostgres(`${url}?options=-c%20work_mem%3D5MB`)
    const [row] = await database.query(
      `select current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
        current_setting('statement_timeout') as timeout, current_setting('application_name') as name`,
    )
    await database.close()
    expect(row).toEqual({ zone: 'UTC', memory: '5MB', timeout: '10s', name: 'billing' })
  })

  it('answers the problem unavailable when its connection is cut, and serves the next call', async () => {
    const { database, another } = await source.empty()
    const other = await another?.()
    const cut = expect(database.query("select pg_sleep(5), 'to be cut'")).rejects.toMatchObject({
      code: 'unavailable',
    })
    await other?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%to be cut%' and pid <> pg_backend_pid()`,
    )
    // The statement may not have begun when the first try looked for it.
    await Promise.race([cut, new Promise((resolve) => setTimeout(resolve, 300))])
    await other?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%to be cut%' and pid <> pg_backend_pid()`,
    )
    await cut
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('survives a connection cut in the middle of a transaction', async () => {
    const { database, another } = await source.empty()
    const other = await another?.()
    const work = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid')
      await other?.query('select pg_terminate_backend($1::integer)', [String(row?.pid)])
      await transaction.query('select 1')
    })
    await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/unavailable/) })
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})
