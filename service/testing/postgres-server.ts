import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startServer } from '../../scripts/measure/postgres.mjs'

/** A PostgreSQL server for one test, with an account `billing`. */
export interface PostgresServer {
  urlOf(database: string): string
  /** A new connection, which the caller ends. */
  connect(): Promise<pg.Client>
  /** Ends the server with SIGKILL, as a crash does. All commits are on the disk. */
  kill(): Promise<void>
  /** Starts it again on its data, if it has ended. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface ServerOptions {
  /** Its data directory, which the server's user must be able to access. */
  readonly directory?: string
}

export async function startMortalServer(options: ServerOptions = {}): Promise<PostgresServer> {
  let log = ''
  const server = await startServer([], {
    ...options,
    onLog: (lines) => {
      log = `${log}${lines}`.slice(-2_000)
    },
  })
  const { directory, urlOf } = server
  let running = true
  const started = () => {
    running = true
  }
  return {
    urlOf,
    async connect() {
      const client = new pg.Client(urlOf('postgres'))
      // It may lose its connection at any moment.
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async kill() {
      running = false
      await killServer(directory)
    },
    async restart() {
      const deadline = Date.now() + restartMs
      while (!(await answers(urlOf('postgres')))) {
        if (Date.now() > deadline) throw new Error(`The server does not start again: ${log}`)
        // The server may already be ending, and refuses to start while processes of a killed one still end.
        running &&= isRunning(await pidIn(directory).catch(() => 0))
        if (running) await delay(200)
        else await server.start().then(started, () => delay(200))
      }
    },
    async stop() {
      if (running && isRunning(await pidIn(directory).catch(() => 0))) await server.stop()
      running = false
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const restartMs = 60_000

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  // It may lose its connection at any moment.
  client.on('error', () => {})
  const answered = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return answered
}

/** Ends the server of a folder with SIGKILL. */
export async function killServer(directory: string): Promise<void> {
  const pid = await pidIn(directory)
  process.kill(pid, 'SIGKILL')
  while (isRunning(pid)) await delay(10)
}

async function pidIn(directory: string): Promise<number> {
  const [pid] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
