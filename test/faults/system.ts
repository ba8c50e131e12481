import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { insertSample } from '../../service/data/sample.js'
import { createApiKeyVault } from '../../service/identity/api-key.js'
import type { Database } from '../../service/storage/database/database.js'
import { migrate, readMigrations } from '../../service/storage/database/migrate.js'
import { openPostgres } from '../../service/storage/postgres/postgres.js'
import {
  type PostgresServer,
  type ServerOptions,
  startMortalServer,
} from '../../service/testing/postgres-server.js'
import { type Run, serve } from '../../service/testing/process.js'

export type Node = Run & { readonly url: string }

/** Nodes of the service as processes, on a separate PostgreSQL server. */
export interface System {
  readonly server: PostgresServer
  /** The tests' own connections. */
  readonly database: Database
  /** The nodes that must be up. */
  readonly nodes: readonly Node[]
  readonly urls: () => readonly string[]
  readonly apiKey: string
  /** The key of a user of another Reseller, which has client 4. */
  readonly otherApiKey: string
  /** Login and password of a user. */
  readonly login: { readonly login: string; readonly password: string }
  /** Starts one more node. */
  start(settings?: Readonly<Record<string, string>>): Promise<Node>
  /** No longer expects a node to be up. */
  forget(node: Node): void
  stop(): Promise<void>
}

export interface SystemOptions extends ServerOptions {
  /** Initial number of nodes. Default: 2. */
  readonly nodes?: number
  /** Environment of the nodes. */
  readonly environment?: Readonly<Record<string, string>>
  /** Maps the server's port to a proxy's port for the nodes. */
  readonly reach?: (port: number) => Promise<number>
  /** Starts the server or servers. */
  readonly start?: (options: ServerOptions) => Promise<PostgresServer>
}

export async function startSystem({
  nodes = 2,
  environment = {},
  reach,
  start,
  ...options
}: SystemOptions = {}) {
  const server = await (start ?? startMortalServer)(options)
  const database = await openPostgres(server.urlOf('postgres'))
  await migrate(database, await readMigrations())
  const users = await insertSample(database, createApiKeyVault(secret))
  const user = users.find(({ login }) => login === 'reseller-a')
  const other = users.find(({ login }) => login === 'reseller-b')
  if (user === undefined || other === undefined) throw new Error('The sample has too few users')
  const target = await reached(server.urlOf('postgres'), reach)
  const up: Node[] = []
  const system: System = {
    server,
    database,
    nodes: up,
    urls: () => up.map(({ url }) => url),
    apiKey: user.apiKey,
    otherApiKey: other.apiKey,
    login: { login: user.login, password: user.password },
    async start(own = {}) {
      const node = await serve({
        DATABASE_URL: target,
        BILLING_SECRET: secret,
        API_VERSION: '1.1.0',
        LOG_LEVEL: 'warn',
        ...environment,
        ...own,
      })
      up.push(node)
      return node
    },
    forget(node) {
      up.splice(up.indexOf(node), 1)
    },
    async stop() {
      for (const { child } of up) child.kill('SIGKILL')
      await Promise.all(up.map(({ ended }) => ended))
      await database.close()
      await server.stop()
    },
  }
  for (let count = 0; count < nodes; count += 1) await system.start()
  return system
}

async function reached(url: string, reach: SystemOptions['reach']): Promise<string> {
  if (reach === undefined) return url
  const target = new URL(url)
  target.port = String(await reach(Number(target.port)))
  return target.href
}

const secret = 's'.repeat(32)

/**
 * Expects that every node serves without a restart, has released everything, and logged no unexpected
 * errors.
 */
export async function expectWell({ nodes, database }: System): Promise<void> {
  for (const { child, url, errors } of nodes) {
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
    await expect.poll(() => statusOf(`${url}/readyz`), patience).toBe(200)
    await expect.poll(() => held(url), patience).toEqual({ calls: 0, busy: 0, waiting: 0 })
    expect(errors().match(/uncaught|unhandled|internal_error|Warning/gi) ?? []).toEqual([])
  }
  const sessions = () =>
    database.query<{ state: string; count: number }>(
      `select coalesce(state, '') as state, count(*)::integer as count from pg_stat_activity
        where application_name = 'billing' and pid <> pg_backend_pid() group by state`,
    )
  await expect.poll(async () => (await sessions()).map(({ state }) => state), patience).toEqual(['idle'])
  const connections = (await sessions()).reduce((sum, { count }) => sum + count, 0)
  expect(connections).toBeLessThanOrEqual(12 * (nodes.length + 1))
}

/** Ends the nodes like an operator, and expects that they leave nothing behind. */
export async function expectEnd({ nodes, database }: System): Promise<void> {
  for (const { child } of nodes) child.kill('SIGTERM')
  for (const { ended } of nodes) expect(await ended).toEqual({ code: 0, signal: null })
  const connections = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
        where application_name = 'billing' and client_port not in
          (select client_port from pg_stat_activity where pid = pg_backend_pid())`,
    )
    return row?.count
  }
  // The remaining connections are the tests'.
  await expect.poll(connections, patience).toBeLessThanOrEqual(10)
}

const patience = { timeout: 30_000, interval: 100 }

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) })
  await response.arrayBuffer()
  return response.status
}

/** The calls and connections of a node, from its metrics. */
async function held(url: string): Promise<{ calls: number; busy: number; waiting: number }> {
  const metrics = await metricsOf(url)
  const sum = (start: string) =>
    [...metrics].reduce((total, [name, value]) => (name.startsWith(start) ? total + value : total), 0)
  return {
    calls: sum('billing_calls_in_flight{'),
    busy: sum('billing_database_connections{state="busy"}'),
    waiting: sum('billing_database_waiting'),
  }
}

/** Values by name and labels. */
export async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** Polls the readiness of a node. */
export function watchReadiness(url: string) {
  const seen: { readonly at: number; readonly status: number; readonly ms: number }[] = []
  let watching = true
  const done = (async () => {
    while (watching) {
      const at = performance.now()
      seen.push({ at, status: await statusOf(`${url}/readyz`).catch(() => 0), ms: performance.now() - at })
      await delay(50)
    }
  })()
  const stop = async () => {
    watching = false
    await done
    return { longestMs: Math.max(...seen.map(({ ms }) => ms)) }
  }
  onTestFinished(async () => {
    await stop()
  })
  return {
    /** Resolves after three equal answers in a row, with the milliseconds until the first. */
    async says(status: number): Promise<number> {
      const start = performance.now()
      const lately = () => seen.filter(({ at }) => at > start).slice(-3)
      await expect
        .poll(() => lately().map((asked) => asked.status), { timeout: 60_000, interval: 20 })
        .toEqual([status, status, status])
      const [first] = lately()
      return Math.round((first?.at ?? 0) + (first?.ms ?? 0) - start)
    },
    /** The longest time of an answer in milliseconds. */
    stop,
  }
}
