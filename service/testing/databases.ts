import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import { makeData, startServer } from '../../scripts/measure/postgres.mjs'
import { insertSample } from '../data/sample.js'
import { createApiKeyVault } from '../identity/api-key.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { openEmbedded } from '../storage/embedded/embedded.js'
import { openPostgres } from '../storage/postgres/postgres.js'
import { copyFolder, template } from './template.js'

export { freePort } from '../../scripts/measure/postgres.mjs'

interface OpenDatabase {
  readonly database: Database
  /** Opens a second pool on it, if the driver allows one. */
  readonly another: (() => Promise<Database>) | undefined
  readonly url: string | undefined
}

/** Creates databases of one kind. `stop` closes all of them. */
export interface DatabaseSource {
  empty(): Promise<OpenDatabase>
  /** A database of the sample data, with unknown keys and passwords. */
  sample(): Promise<OpenDatabase>
  stop(): Promise<void>
}

/** Describes tests on PostgreSQL and, since both take the same statements, on PGlite in CI's second stage alone. */
export function onEachDriver(
  title: string,
  tests: (start: () => Promise<DatabaseSource>, driver: 'PGlite' | 'PostgreSQL') => void,
): void {
  describe(`${title} PostgreSQL`, () => tests(startPostgres, 'PostgreSQL'))
  describe(`${title} PGlite`, { tags: ['long'] }, () => tests(startPGlite, 'PGlite'))
}

export async function startPGlite(): Promise<DatabaseSource> {
  const directory = await mkdtemp(join(tmpdir(), 'billing-pglite-'))
  const opened: Database[] = []
  const copyOf = async (original: string) => {
    const copy = join(directory, randomBytes(6).toString('hex'))
    await copyFolder(original, copy)
    const database = await openEmbedded(copy)
    opened.push(database)
    return { database, another: undefined, url: undefined }
  }
  return {
    empty: async () => copyOf(await emptyPGlite()),
    sample: async () => copyOf(await samplePGlite()),
    async stop() {
      await Promise.all(opened.map((database) => database.close().catch(() => {})))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A folder with an empty database to copy from. Creating one takes seconds. */
export function emptyPGlite(): Promise<string> {
  return template('pglite', async (folder) => (await openEmbedded(folder)).close())
}

function samplePGlite(): Promise<string> {
  return template('pglite-sample', async (folder) => {
    await copyFolder(await emptyPGlite(), folder)
    const database = await openEmbedded(folder)
    await fillWithSample(database)
    await database.close()
  })
}

async function fillWithSample(database: Database): Promise<void> {
  await migrate(database, await readMigrations())
  await insertSample(database, createApiKeyVault('s'.repeat(32)))
}

/**
 * Databases of a PostgreSQL server that all files of this worker share: `stop` removes the databases. The end of the
 * run ends the server (test/scratch.ts).
 */
export async function startPostgres(): Promise<DatabaseSource> {
  sharedServer ??= startShared()
  const server = await sharedServer
  return databasesOf(server, async (names) => {
    for (const name of names) await asSuperuser(server, `drop database ${name} with (force)`)
  })
}

/** A server for one file: all databases of a server have the same roles, and a test may stop it. */
export async function startOwnPostgres(): Promise<DatabaseSource> {
  const server = await startFromCopy()
  return databasesOf(server, server.stop)
}

type Server = Awaited<ReturnType<typeof startServer>> & { sample?: Promise<void> }

let sharedServer: Promise<Server> | undefined

async function startShared(): Promise<Server> {
  const server = await startFromCopy()
  await writeFile(join(inject('scratch'), `server-${process.pid}`), server.directory)
  return server
}

const startFromCopy = async (): Promise<Server> =>
  startServer([], { copyOf: await template('postgres', makeData) })

function databasesOf(server: Server, end: (names: readonly string[]) => Promise<void>): DatabaseSource {
  const names: string[] = []
  const opened: Database[] = []
  const open = async (url: string) => {
    const database = await openPostgres(url)
    opened.push(database)
    return database
  }
  const copyOf = async (original: string) => {
    const name = `test_${randomBytes(6).toString('hex')}`
    await asSuperuser(server, `create database ${name} template ${original}`)
    names.push(name)
    const url = server.urlOf(name)
    return { database: await open(url), another: () => open(url), url }
  }
  return {
    empty: () => copyOf('template1'),
    async sample() {
      server.sample ??= makeSample(server)
      await server.sample
      return copyOf('sample')
    },
    async stop() {
      await Promise.all(opened.map((database) => database.close().catch(() => {})))
      await end(names)
    },
  }
}

async function makeSample(server: Server): Promise<void> {
  await asSuperuser(server, 'create database sample')
  const database = await openPostgres(server.urlOf('sample'))
  await fillWithSample(database)
  await database.close()
}

async function asSuperuser({ urlOf }: Server, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  await client.query(statement)
  await client.end()
}
