// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, freePort, startOwnPostgres } from '../../testing/databases.js'
import { defaultPool, openPostgres } from './postgres.js'

describe('PostgreSQL', () => {
  let source: DatabaseSource
  beforeAll(async () => {
    source = await startOwnPostgres()
  })
  afterAll(() => source?.stop())

  it('that is unreachable is reported in one line without the password', async () => {
    const url = `postgres://user:hunter2hunter2@127.0.0.1:${await freePort()}/billing`
    const failure = await openPostgres(url).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      exitCode: 1,
      lines: [expect.stringMatching(/^DATABASE_URL: the database cannot be reached: .*ECONNREFUSED/)],
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

  it('with too many waiting statements refuses further ones at once, but no ping', async () => {
    const { url } = await source.empty()
    const database = await openPostgres(url ?? '', { ...defaultPool, connections: 2, waitMs: 300 })
    const sleep = () => database.query('select pg_sleep(0.1)').then(() => 'made')
    // An unused pool has no estimate, so it accepts everything.
    await Promise.all(Array.from({ length: 60 }, sleep))
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => sleep().catch((error: unknown) => error)),
    )
    const refused = outcomes.filter((outcome) => outcome !== 'made')
    expect(refused.length).toBeGreaterThan(40)
    for (const refusal of refused) expect(refusal).toMatchObject({ code: 'unavailable', retryAfter: 1 })
    expect(database.pool?.().refused).toBe(refused.length)
    // Two have a connection. Each two waiting ones add 100 ms.
    expect([2, 4, 7].map((calls) => database.pool?.().isHalfTaken(calls))).toEqual([false, false, true])

    let isBusy = true
    const busy = Promise.allSettled(Array.from({ length: 60 }, sleep)).then(() => {
      isBusy = false
    })
    await database.ping()
    expect(isBusy).toBe(true)
    await busy
    expect(await sleep()).toBe('made')
    await database.close()
  })

  it('whose Unix socket is missing is unavailable', async () => {
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

  it('receives the session settings in addition to those of the URL', async () => {
    const { url } = await source.empty()
    const database = await openPostgres(`${url}?options=-c%20work_mem%3D5MB`)
    const [row] = await database.query(
      `select current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
        current_setting('statement_timeout') as timeout, current_setting('application_name') as name`,
    )
    await database.close()
    expect(row).toEqual({ zone: 'UTC', memory: '5MB', timeout: '10s', name: 'billing' })
  })

  it('throws the problem unavailable when its connection is cut, and serves the next call', async () => {
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

  it('listens again after the connection is cut, and reports the gap', async () => {
    const { database, another } = await source.empty()
    const other = await another?.()
    const heard: string[] = []
    const stop = await database.listen('news', {
      onMessage: (message) => heard.push(message),
      onGap: () => heard.push('gap'),
    })
    expect(heard).toEqual(['gap'])
    await other?.query("select pg_notify('news', 'first')")
    await expect.poll(() => heard).toEqual(['gap', 'first'])
    await other?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'billing listener'`,
    )
    // One gap when it is lost, one when it is back.
    await expect.poll(() => heard).toEqual(['gap', 'first', 'gap', 'gap'])
    await other?.query("select pg_notify('news', 'second')")
    await expect.poll(() => heard.at(-1)).toBe('second')
    await stop()
    const listeners = () =>
      database.query(
        `select from pg_stat_activity
          where datname = current_database() and application_name = 'billing listener'`,
      )
    await expect.poll(listeners).toEqual([])
  })

  it('that is away does not block the start of listening', async () => {
    const { database, url } = await source.empty()
    const errors: Error[] = []
    const open = (target: string) => openPostgres(target, defaultPool, (error) => errors.push(error))
    const closed = await open(url ?? '')
    const other = await open(new URL('/postgres', url).href)
    await database.close()
    await other.query(`alter database ${new URL(url ?? '').pathname.slice(1)} allow_connections false`)
    const heard: string[] = []
    const stop = await closed.listen('news', { onMessage() {}, onGap: () => heard.push('gap') })
    expect(heard).toEqual(['gap'])
    expect(errors).toMatchObject([{ code: '55000' }])
    await stop()
    await Promise.all([closed.close(), other.close()])
  })

  it('is used as the options say', async () => {
    const { url } = await source.empty()
    const database = await openPostgres(url ?? '', {
      ...defaultPool,
      connections: 2,
      statementMs: 1_000,
      connectMs: 200,
      prepared: false,
    })
    const statement = { text: 'select $1::text as given', prepared: true } as const
    expect(await database.query(statement, ['a'])).toEqual([{ given: 'a' }])
    expect(await database.query('select name from pg_prepared_statements')).toEqual([])
    const sleeping = [1, 2].map(() => database.query('select pg_sleep(0.5)'))
    await expect(database.query('select 1')).rejects.toMatchObject({ code: 'unavailable' })
    await Promise.all(sleeping)
    await expect(database.query('select pg_sleep(5)')).rejects.toMatchObject({ code: 'unavailable' })
    await database.close()
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
