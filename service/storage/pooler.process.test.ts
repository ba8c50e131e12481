// @module-tag long

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertSample } from '../data/sample.js'
import { createApiKeyVault } from '../identity/api-key.js'
import { type DatabaseSource, freePort, startOwnPostgres } from '../testing/databases.js'
import { creditIn, creditOf, endAll, patchCredit, run, serve, serviceFile } from '../testing/process.js'
import { migrate, readMigrations } from './database/migrate.js'

/** npm installs no pooler, so this runs only if the system has one (Debian: apt-get install pgbouncer). */
const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0

describe.runIf(hasPooler)('the service behind a pooler in transaction mode', () => {
  let source: DatabaseSource
  let direct = ''
  let pooled = ''
  let stopPooler = async () => {}
  let apiKey = ''
  const BILLING_SECRET = 's'.repeat(32)
  beforeAll(async () => {
    source = await startOwnPostgres()
    const { database, url = '' } = await source.empty()
    direct = url
    await migrate(database, await readMigrations())
    const users = await insertSample(database, createApiKeyVault(BILLING_SECRET))
    apiKey = users.find(({ login }) => login === 'reseller-a')?.apiKey ?? ''
    ;({ url: pooled, stop: stopPooler } = await startPooler(new URL(direct)))
  })
  afterAll(async () => {
    await endAll()
    await stopPooler()
    await source?.stop()
  })

  it('says in one line each which settings the pooler drops, and how to keep them', async () => {
    const refused = run(serviceFile, { DATABASE_URL: pooled, BILLING_SECRET, PORT: '0' })
    expect((await refused.ended).code).toBe(1)
    expect(refused.errors()).toMatch(
      /^DATABASE_URL: a pooler drops the settings of connections\. .*\n(alter role billing set \S+ = .*;\n)+$/,
    )
    const client = new pg.Client(direct)
    await client.connect()
    for (const line of refused.errors().split('\n').slice(1)) await client.query(line)
    await client.end()
    // Its open connections keep the old settings.
    await stopPooler()
    ;({ url: pooled, stop: stopPooler } = await startPooler(new URL(direct)))
  })

  it('serves, and one node learns at once what another one changed', async () => {
    const environment = {
      DATABASE_URL: pooled,
      DATABASE_LISTEN_URL: direct,
      DATABASE_PREPARED: 'off',
      BILLING_SECRET,
      CACHE_SECONDS: '60',
    }
    const nodes = await Promise.all([serve(environment), serve(environment)])
    for (let credit = 1; credit <= 40; credit += 1) {
      const [one, other] = credit % 2 === 0 ? nodes : nodes.toReversed()
      expect(await creditIn(await patchCredit(one?.url ?? '', apiKey, 1, credit))).toBe(credit)
      expect(await creditOf(other?.url ?? '', apiKey, 1)).toBe(credit)
    }
    const client = new pg.Client(direct)
    await client.connect()
    await client.query("update users set active = false where login = 'reseller-a'")
    await client.end()
    for (const { url } of nodes) {
      const status = async () =>
        (await fetch(`${url}/clients/1`, { headers: { 'x-api-key': apiKey } })).status
      await expect.poll(status).toBe(401)
    }
  })
})

async function startPooler({ port, pathname }: URL) {
  const folder = await mkdtemp(join(tmpdir(), 'billing-pooler-'))
  const own = await freePort()
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'users'), '"billing" "billing"\n')
  await writeFile(
    join(folder, 'settings'),
    `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${port} pool_size=3
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users')}
pool_mode = transaction
ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout
`,
  )
  // It does not run as root.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const pooler = spawn('pgbouncer', [join(folder, 'settings')], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => pooler.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    pooler.stderr.on('data', (lines) => {
      log += lines
      if (log.includes('process up')) resolve()
    })
    pooler.once('close', () => reject(new Error(log)))
  })
  return {
    url: `postgres://billing:billing@127.0.0.1:${own}${pathname}`,
    async stop() {
      pooler.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
