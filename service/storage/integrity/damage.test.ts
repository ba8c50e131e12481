// @module-tag long

import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyPGlite } from '../../testing/databases.js'
import { claimDataDirectory } from '../embedded/data-directory.js'
import { crc32c } from './crc32c.js'
import { inspect } from './inspect.js'
import { segmentName, segmentStart, showPosition } from './write-ahead-log.js'

/** A data directory after a kill, or after its database was closed. */
type State = 'crashed' | 'closed'

let parent: string
/** The table's file, and the log segment with the last change, below the database's folder. */
let table: string
let segment: string
const at = (state: State, ...names: string[]) => join(parent, state, ...names)

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'billing-damage-'))
  await cp(await emptyPGlite(), at('closed', 'database'), { recursive: true })
  const directory = await claimDataDirectory(at('closed'))
  const database = await directory.database({
    create: () => Promise.reject(new Error('There is a database')),
    async prepare(found) {
      await found.query(
        "create table kept (n integer, filler text); insert into kept select n, repeat('x', 500) from generate_series(1, 100) n",
      )
    },
  })
  for (let n = 1; n <= 30; n += 1)
    await database.query('insert into kept (n) values ($1::integer)', [String(n)])
  const [row] = await database.query<{ path: string; segment: string }>(
    "select pg_relation_filepath('kept') as path, pg_walfile_name(pg_current_wal_insert_lsn()) as segment",
  )
  table = row?.path ?? ''
  segment = `pg_wal/${row?.segment}`
  await cp(at('closed'), at('crashed'), { recursive: true, filter: (path) => !path.includes('lock-') })
  await database.close()
  directory.release()
})
afterAll(() => rm(parent, { recursive: true, force: true }))

/** Damages a file or folder, inspects it, and restores it. */
async function complaintAfter(path: string, damage: (path: string) => Promise<unknown>): Promise<string> {
  const directory = path.slice(0, path.indexOf('/', parent.length + 1))
  await cp(path, `${path}.kept`, { recursive: true })
  try {
    await damage(path)
    return await inspect(directory).then(
      () => 'nothing is wrong',
      (error: Error) => error.message,
    )
  } finally {
    await rm(path, { recursive: true, force: true })
    await rename(`${path}.kept`, path)
  }
}

const remove = (path: string) => rm(path, { recursive: true })
const halve = async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2))
const empty = async (path: string) => {
  if ((await stat(path)).isFile()) return truncate(path)
  await rm(path, { recursive: true })
  return mkdir(path)
}
const change =
  (from: (bytes: Buffer) => number, length = 1) =>
  async (path: string) => {
    const bytes = await readFile(path)
    const start = from(bytes)
    for (let index = start; index < start + length; index += 1) bytes[index] = (bytes[index] ?? 0) ^ 0x55
    await writeFile(path, bytes)
  }
const lastUsed = (bytes: Buffer) => bytes.findLastIndex((byte) => byte !== 0)
const half = (bytes: Buffer) => Math.floor(bytes.length / 2)

describe('a killed database', () => {
  it('is whole', async () => {
    expect(await inspect(at('crashed'))).toBe(true)
  })

  it.each([
    ['', remove, 'database is missing'],
    ['', empty, 'database/PG_VERSION is missing'],
    ['PG_VERSION', remove, 'database/PG_VERSION is missing'],
    ['global', remove, 'database/global is missing'],
    ['global', empty, 'database/global/pg_control cannot be read'],
    ['global/pg_control', remove, 'database/global/pg_control cannot be read'],
    ['global/pg_control', empty, 'database/global/pg_control does not match its checksum'],
    ['global/pg_control', halve, 'database/global/pg_control does not match its checksum'],
    ['global/pg_control', change(() => 40), 'database/global/pg_control does not match its checksum'],
    ['global/pg_filenode.map', remove, 'database/global/pg_filenode.map is missing'],
    ['global/pg_filenode.map', change(() => 20), 'database/global/pg_filenode.map has changed content'],
    ['PG_VERSION', change(() => 0), 'database/PG_VERSION has changed content'],
    ['global/pg_filenode.map', halve, 'database/global/pg_filenode.map has \\d+ bytes instead of 524'],
    ['base', remove, 'database/base is missing'],
    ['base', empty, 'database/base/1/ is missing'],
    ['pg_xact', remove, 'database/pg_xact/ is missing'],
    ['pg_xact/0000', remove, 'database/pg_xact/0000 is missing'],
    ['pg_xact/0000', halve, 'database/pg_xact/0000 has 4096 bytes instead of 8192'],
    ['pg_multixact', remove, 'database/pg_multixact/ is missing'],
    ['pg_notify', remove, 'database/pg_notify/ is missing'],
    ['postgresql.conf', remove, 'database/postgresql.conf is missing'],
    ['pg_wal', remove, 'database/pg_wal is missing'],
    ['pg_wal', empty, 'database/pg_wal/\\w{24} ends at .*, but changes were acknowledged up to'],
  ])('is damaged: %s', async (name, damage, complaint) => {
    expect(await complaintAfter(at('crashed', 'database', name).replace(/\/$/, ''), damage)).toMatch(
      new RegExp(`^${complaint}`),
    )
  })

  it('reports a removed, emptied or truncated table', async () => {
    for (const damage of [remove, empty, halve])
      expect(await complaintAfter(at('crashed', 'database', table), damage)).toMatch(
        new RegExp(`^database/${table} (is missing|has \\d+ bytes instead of)`),
      )
  })

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['is missing', remove],
    ['is empty', empty],
    [
      'ends in the middle of what was written',
      async (path) => truncate(path, lastUsed(await readFile(path)) / 2),
    ],
    ['ends one byte too soon', async (path) => truncate(path, lastUsed(await readFile(path)))],
    ['has a hole of zeros', async (path) => writeFile(path, (await readFile(path)).fill(0, 4_000_000))],
    ['has one other byte in its last record', change((bytes) => lastUsed(bytes) - 3)],
    ['has one other byte thirty changes ago', change((bytes) => lastUsed(bytes) - 2_000)],
  ])('reports lost acknowledged changes if the log %s', async (_, damage) => {
    const complaint = await complaintAfter(at('crashed', 'database', segment), damage)
    expect(complaint).toMatch(
      /^database\/pg_wal\/\w{24} ends at .*, but changes were acknowledged up to [0-9A-F]+\/[0-9A-F]+$/,
    )
  })

  it('reports unusable reference files', async () => {
    for (const name of ['database.position', 'database.files.json'])
      expect(await complaintAfter(at('crashed', name), halve)).toMatch(
        new RegExp(`^${name} cannot be used: `),
      )
  })
})

describe('a database that was closed', () => {
  it('is whole', async () => {
    expect(await inspect(at('closed'))).toBe(true)
  })

  it.each([
    ['global/1262', async (path: string) => truncate(path, 0), 'has 0 bytes instead of 8192'],
    ['pg_xact/0000', async (path: string) => writeFile(path, Buffer.alloc(8192)), 'has changed content'],
    ['pg_multixact/offsets/0000', change(half), 'has changed content'],
  ])('is damaged: %s', async (name, damage, complaint) => {
    expect(await complaintAfter(at('closed', 'database', name), damage)).toMatch(
      new RegExp(`^database/${name} ${complaint}`),
    )
  })

  it('allows edited settings', async () => {
    expect(await complaintAfter(at('closed', 'database', 'postgresql.conf'), change(half))).toBe(
      'nothing is wrong',
    )
  })

  it('is not compared with the file list after a program without a list has opened it', async () => {
    const withOther = async (path: string) =>
      writeFile(path, (await readFile(path, 'utf8')).replace(/"exactAt":"[^"]+"/, '"exactAt":"0/1"'))
    const changed = change(() => 0)
    const file = at('closed', 'database', 'pg_xact/0000')
    const both = async (path: string) => {
      await withOther(path)
      return expect(await complaintAfter(file, changed)).toBe('nothing is wrong')
    }
    expect(await complaintAfter(at('closed', 'database.files.json'), both)).toBe('nothing is wrong')
  })
})

describe('a start on a damaged data directory', () => {
  it('fails, names the file and the way back, and changes nothing', async () => {
    const path = at('crashed')
    await rename(at('crashed', 'database'), at('crashed', 'elsewhere'))
    await mkdir(at('crashed', 'database'))
    const before = await readdir(path)
    const directory = await claimDataDirectory(path)
    await expect(directory.database({ create: async () => {} })).rejects.toMatchObject({
      exitCode: 1,
      lines: [
        `DATA_DIR ${path} is damaged: database/PG_VERSION is missing`,
        expect.stringMatching(/^Nothing was changed\. .*npm run restore -- FOLDER.*docs\/operations\.md\.$/),
      ],
    })
    directory.release()
    expect(await readdir(path)).toEqual(before)
    expect(await readdir(join(path, 'database'))).toEqual([])
    await rm(at('crashed', 'database'), { recursive: true })
    await rename(at('crashed', 'elsewhere'), at('crashed', 'database'))
  })
})

describe('positions in the log', () => {
  it('have PostgreSQL’s file names', () => {
    // PostgreSQL 18: select pg_walfile_name('1/A2345678'), which is 00000001 00000001 000000A2.
    expect(segmentName(0x1_a234_5678n)).toBe('0000000100000001000000A2')
    expect(segmentStart('0000000100000001000000A2')).toBe(0x1_a200_0000n)
    expect(segmentStart(`${dirname('archive_status/x')}`)).toBeUndefined()
    expect(showPosition(0x1_a234_5678n)).toBe('1/A2345678')
  })

  it('are protected by CRC-32C', () => {
    // RFC 3720, appendix B.4: 32 bytes of zeros.
    expect(crc32c(new Uint8Array(20), new Uint8Array(12))).toBe(0x8a9136aa)
  })
})
