import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('of another encoding than UTF8 is refused in one line', async () => {
    const { database, url } = await source.empty()
    await database.query("create database latin encoding 'LATIN1' template template0")
    await expect(openPostgres(new URL('/latin', url).href)).rejects.toMatchObject({
      exitCode: 1,
      lines: ['DATABASE_URL: the database is encoded in LATIN1; it must be in UTF8'],
    })
  })

  it('that is read-only is unavailable to changes and to the readiness check', async () => {
    const { database, url } = await source.empty()
    const target = new URL(url ?? '')
    target.searchParams.set('options', '-c default_transaction_read_only=on')
    const reader = await openPostgres(target.href)
    await expect(reader.query('create table t (n integer)')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(reader.ping()).rejects.toMatchObject({ code: 'unavailable' })
    await reader.close()
    await database.ping()
  })

  it.each([
    '25006',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P05',
    '08006',
  ])('that fails with SQLSTATE %s is unavailable', async (state) => {
    const { database } = await source.empty()
    const failing = database.query(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`)
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('that fails for another reason is not unavailable', async () => {
    const { database } = await source.empty()
    await expect(database.query('select nonsense')).rejects.toMatchObject({ code: '42703' })
  })

  it('whose Unix socket has gone is unavailable', async () => {
    const { url } = await source.empty()
    const directory = await mkdtemp(join(tmpdir(), 'billing-socket-'))
    const { port, pathname, username, password } = new URL(url ?? '')
    const proxy = createServer((socket) => {
      const server = connect(Number(port), '127.0.0.1')
      socket.pipe(server).pipe(socket)
      for (const end of [socket, server]) end.on('error', () => {})
    })
    await new Promise<void>((resolve) => proxy.listen(join(directory, '.s.PGSQL.5432'), resolve))
    const database = await openPostgres(
      `postgres://${username}:${password}@${encodeURIComponent(directory)}:5432${pathname}`,
    )
    await database.ping()
    await rm(directory, { recursive: true })
    await expect(
      Promise.all([database.query('select pg_sleep(0.1)'), database.query('select pg_sleep(0.1)')]),
    ).rejects.toMatchObject({ code: 'unavailable' })
    await database.close()
    proxy.close()
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
