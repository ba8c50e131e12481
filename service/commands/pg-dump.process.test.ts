// @module-tag long

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertSample } from '../data/sample.js'
import { createApiKeyVault } from '../identity/api-key.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { openPostgres } from '../storage/postgres/postgres.js'
import { freePort } from '../testing/databases.js'
import { creditOf, endAll, patchCredit, serve } from '../testing/process.js'

/** npm installs only the server, so this runs only if the system has all programs (Debian: apt-get install postgresql). */
const programs = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? ''
const has = (name: string) => spawnSync(join(programs, name), ['--version']).status === 0
const hasPrograms = programs !== '' && ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'createdb'].every(has)

/** PostgreSQL does not run as root. */
const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
const user = hasPrograms && process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

describe.runIf(hasPrograms)('pg_dump and pg_restore', () => {
  const BILLING_SECRET = 's'.repeat(32)
  let folder = ''
  let port = 0
  let stop = async () => {}
  const urlOf = (name: string, role = 'service') => `postgres://${role}@127.0.0.1:${port}/${name}`
  /** Runs a program as docs/operations.md says. Returns its exit code and errors. */
  const program = (name: string, ...args: string[]) => {
    const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'service' }
    const { status, stderr } = spawnSync(join(programs, name), args, { env, encoding: 'utf8' })
    return { status, stderr }
  }
  const query = async (url: string, statement: string) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'billing-dump-'))
    await chmod(folder, 0o755)
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
    const data = join(folder, 'data')
    const flags = ['--username=admin', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
    execFileSync(join(programs, 'initdb'), [...flags, data], { ...user, cwd: folder })
    port = await freePort()
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...settings.flatMap((each) => ['-c', each])],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
    const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
    stop = async () => {
      server.kill('SIGINT')
      await ended
    }
    const answers = () => query(urlOf('postgres', 'admin'), 'select 1').then(Boolean, () => false)
    while (!(await answers())) await delay(50)
    // Not a superuser, so policies bind it.
    await query(urlOf('postgres', 'admin'), 'create role service login createdb createrole')
  }, 60_000)
  afterAll(async () => {
    await endAll()
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('copy a database in use, and the service starts on the copy with all that was acknowledged', async () => {
    expect(program('createdb', '--template=template0', '--encoding=UTF8', 'billing').status).toBe(0)
    const database = await openPostgres(urlOf('billing'))
    await migrate(database, await readMigrations())
    const users = await insertSample(database, createApiKeyVault(BILLING_SECRET))
    await database.close()
    const apiKey = users.find(({ login }) => login === 'reseller-a')?.apiKey ?? ''
    const service = await serve({ DATABASE_URL: urlOf('billing'), BILLING_SECRET })
    expect((await patchCredit(service.url, apiKey, 1, 41)).status).toBe(200)

    const dump = join(folder, 'billing.dump')
    const target = ['--format=custom', `--file=${dump}`, urlOf('billing')]
    const refused = program('pg_dump', ...target)
    expect(refused).toEqual({ status: 1, stderr: expect.stringContaining('row-level security') })
    expect(program('pg_dump', '--enable-row-security', ...target)).toEqual({ status: 0, stderr: '' })
    expect((await patchCredit(service.url, apiKey, 1, 42)).status).toBe(200)

    expect(program('createdb', '--template=template0', '--encoding=UTF8', 'restored').status).toBe(0)
    const restored = ['--no-owner', '--no-privileges', dump]
    expect(program('pg_restore', `--dbname=${urlOf('restored')}`, ...restored)).toEqual({
      status: 0,
      stderr: '',
    })
    const counts = `select (select count(*) from clients) as clients, (select count(*) from users) as users,
      (select count(*) from gateways) as gateways, (select count(*) from audit) as audit`
    const [before] = await query(urlOf('billing'), counts)
    expect(await query(urlOf('restored'), counts)).toEqual([
      { ...before, audit: String(Number(before.audit) - 1) },
    ])
    const again = await serve({ DATABASE_URL: urlOf('restored'), BILLING_SECRET })
    expect(await creditOf(again.url, apiKey, 1)).toBe(41)
    expect((await patchCredit(again.url, apiKey, 1, 43)).status).toBe(200)
    // A client of another Reseller: the policies are in the copy, and the privileges are there again.
    expect((await patchCredit(again.url, apiKey, 4, 43)).status).toBe(404)
    expect(await creditOf(service.url, apiKey, 1)).toBe(42)
  }, 120_000)
})
