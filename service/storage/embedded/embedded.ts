import { fsyncSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import {
  type Database,
  enterScope,
  type Queryable,
  type SqlValue,
  type Statement,
  typeIds,
} from '../database/database.js'
import { fromTimestamptz } from '../database/instant.js'
import { type Translate, translator } from '../database/unavailable.js'
import { endOfRecords, logFolder, segmentStart } from '../integrity/write-ahead-log.js'

export interface EmbeddedDatabase extends Database {
  /** Writes all changes in the log to the data files. */
  checkpoint(): Promise<void>
  /** Runs the work while all statements wait. */
  atRest<Result>(work: () => Promise<Result>): Promise<Result>
}

interface EmbeddedOptions {
  readonly onError?: ((error: Error) => void) | undefined
  /** Receives, before a commit resolves, the position up to which the log is on the disk. */
  readonly onLogSynced?: ((position: bigint) => void) | undefined
}

/**
 * PostgreSQL inside this process (PGlite) over a directory, which it creates if missing. Every commit is on the disk
 * when it resolves. Only one process may have the directory open: see directory-lock.ts.
 * @throws Error with PostgreSQL's message if it cannot start
 */
export async function openEmbedded(
  directory: string,
  { onError = () => {}, onLogSynced = () => {} }: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const queryOn = querying(translator(onError))
  let checkpointAt = 0n
  const onLog = (position: bigint) => {
    onLogSynced(position)
    if (checkpointAt === 0n) checkpointAt = position + logBytesBetweenCheckpoints
    if (position < checkpointAt || !database.ready) return
    checkpointAt = position + logBytesBetweenCheckpoints
    database.exec('checkpoint').catch(onError)
  }
  const complaints: string[] = []
  const database: PGlite = await PGlite.create({
    fs: new SyncedNodeFS(directory, onLog),
    startParams: durableParams,
    onStderr: (line) => {
      const [, complaint] = /(?:FATAL|PANIC): +(.*)$/.exec(line) ?? []
      if (complaint !== undefined) complaints.push(complaint)
      return true
    },
    relaxedDurability: false,
    parsers: {
      [typeIds.bigint]: (text) => text,
      [typeIds.numeric]: (text) => text,
      [typeIds.timestamptz]: fromTimestamptz,
    },
  }).catch((cause: unknown) => {
    throw complaints.length > 0 ? new Error(complaints.join('; '), { cause }) : cause
  })
  const query = queryOn(database)
  const inLine = lineOf(turnMs)
  return {
    query: <Row extends object>(...statement: Parameters<typeof query>) =>
      inLine(() => query<Row>(...statement)),
    reserved: { query },
    transaction: (work) =>
      inLine(() => database.transaction((transaction) => work({ query: queryOn(transaction) }))),
    listen: (channel, { onMessage }) => database.listen(channel, onMessage),
    ping: async () => {
      await database.query('select 1')
    },
    close: () => database.close(),
    checkpoint: async () => {
      await database.exec('checkpoint')
    },
    atRest: (work) => database.runExclusive(work),
  }
}

/** PGlite has no checkpointer process. Without checkpoints the log would grow until the database closes. */
const logBytesBetweenCheckpoints = 64n * 1024n * 1024n

// PGlite turns fsync off (-F) and would sync the log with fdatasync, which its file system leaves out.
const durableParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

interface NodeStream {
  readonly nfd: number
  readonly path: string
}

type Write = (
  stream: NodeStream,
  buffer: Int8Array,
  offset: number,
  length: number,
  position: number,
) => number

interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: NodeStream) => number; write: Write }
}

/** PGlite's file system plus the missing fsync, so that a commit survives a crash of the machine. */
class SyncedNodeFS extends NodeFS {
  readonly #onLogSynced: (position: bigint) => void

  constructor(directory: string, onLogSynced: (position: bigint) => void) {
    super(directory)
    this.#onLogSynced = onLogSynced
  }

  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options)
    const withFsync = ({ NODEFS }: { readonly NODEFS: object }) => {
      const { stream_ops: operations } = NODEFS as NodeFileSystem
      const { write } = operations
      let written: bigint | undefined
      operations.write = (stream, buffer, offset, length, position) => {
        const done = write(stream, buffer, offset, length, position)
        const segment = segmentOf(stream.path)
        if (segment !== undefined) {
          const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, done)
          written = endOfRecords(segment, position, bytes) ?? written
        }
        return done
      }
      operations.fsync = ({ nfd, path }) => {
        fsyncSync(nfd)
        if (written !== undefined && segmentOf(path) !== undefined) this.#onLogSynced(written)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), withFsync] } }
  }
}

/** Where the log segment at a path begins. Undefined for any other file. */
function segmentOf(path: string): bigint | undefined {
  return path.includes(`/${logFolder}/`) ? segmentStart(basename(path)) : undefined
}

/**
 * Runs work in order, for at most some `mostMs` in a turn of the event loop. PGlite uses only microtasks, so a sequence
 * of statements would keep the event loop from reading sockets until the last one ends. One statement in each turn
 * would make a short one wait for as many turns as others are before it, each as long as reading large bodies takes.
 */
function lineOf(mostMs: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let left = 0
  return (work) => {
    const result = last.then(async () => {
      if (left <= 0) {
        await turn()
        left = mostMs
      }
      const began = performance.now()
      try {
        return await work()
      } finally {
        left -= performance.now() - began
      }
    })
    last = result.catch(() => {})
    return result
  }
}

/** As long as parsing a large body takes. */
const turnMs = 5

const querying =
  (translated: Translate) =>
  (target: PGlite | Transaction): Queryable['query'] =>
  async <Row extends object>(statement: string | Statement, values?: readonly SqlValue[]) => {
    const { text, reseller }: Statement = typeof statement === 'string' ? { text: statement } : statement
    const inScope = async (transaction: Transaction) => {
      await transaction.query(enterScope, [reseller])
      return rowsOf<Row>(transaction, text, values)
    }
    try {
      if (reseller === undefined) return await rowsOf<Row>(target, text, values)
      return await (target instanceof PGlite ? target.transaction(inScope) : inScope(target))
    } catch (error) {
      throw translated(error)
    }
  }

async function rowsOf<Row extends object>(
  target: PGlite | Transaction,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  if (values.length > 0) return (await target.query<Row>(text, [...values])).rows
  const results = await target.exec(text)
  return (results.at(-1)?.rows ?? []) as Row[]
}
