import { fsyncSync } from 'node:fs'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type Database, type Queryable, type SqlValue, type Statement, typeIds } from './database.js'
import { fromTimestamptz } from './instant.js'
import { type Translate, translator } from './unavailable.js'

/**
 * PostgreSQL inside this process (PGlite) over a directory, which is made where it is missing. Every commit has
 * reached the disk when it resolves. Only one process may have the directory open: see directory-lock.ts.
 */
export async function openEmbedded(
  directory: string,
  onError: (error: Error) => void = () => {},
): Promise<Database> {
  const queryOn = querying(translator(onError))
  const database = await PGlite.create({
    fs: new SyncedNodeFS(directory),
    startParams: durableParams,
    relaxedDurability: false,
    parsers: {
      [typeIds.bigint]: (text) => text,
      [typeIds.numeric]: (text) => text,
      [typeIds.timestamptz]: fromTimestamptz,
    },
  })
  return {
    query: queryOn(database),
    reserved: { query: queryOn(database) },
    transaction: (work) => database.transaction((transaction) => work({ query: queryOn(transaction) })),
    listen: (channel, { onMessage }) => database.listen(channel, onMessage),
    ping: async () => {
      await database.query('select 1')
    },
    close: () => database.close(),
  }
}

// PGlite turns fsync off (-F) and would sync the log with fdatasync, which its file system leaves out.
const durableParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number }
}

/** PGlite's file system with the fsync it lacks, so that a commit survives more than the end of the process. */
class SyncedNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options)
    const withFsync = ({ NODEFS }: { readonly NODEFS: object }) => {
      ;(NODEFS as NodeFileSystem).stream_ops.fsync = ({ nfd }) => {
        fsyncSync(nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), withFsync] } }
  }
}

const querying =
  (translated: Translate) =>
  (target: PGlite | Transaction): Queryable['query'] =>
  async <Row extends object>(statement: string | Statement, values?: readonly SqlValue[]) => {
    const text = typeof statement === 'string' ? statement : statement.text
    try {
      if (values !== undefined && values.length > 0) return (await target.query<Row>(text, [...values])).rows
      const results = await target.exec(text)
      return (results.at(-1)?.rows ?? []) as Row[]
    } catch (error) {
      throw translated(error)
    }
  }
