import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyPGlite } from '../../testing/databases.js'
import { claimDataDirectory } from './data-directory.js'

describe('the data directory', () => {
  let parent: string
  let path: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'billing-data-'))
    path = join(parent, 'deep', 'data')
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  const modeOf = async (name: string) => (await stat(join(path, name))).mode & 0o777

  it('is accessible only to its owner', async () => {
    const directory = await claimDataDirectory(path)
    expect(await modeOf('.')).toBe(0o700)
    directory.release()
  })

  it('keeps its generated secret', async () => {
    const directory = await claimDataDirectory(path)
    const secret = await directory.secret()
    expect(secret).toMatch(/^[\w-]{64}$/)
    expect(await modeOf('secret')).toBe(0o600)
    expect(await directory.secret()).toBe(secret)
    directory.release()
  })

  it('creates no new secret for a database without its secret', async () => {
    await mkdir(join(path, 'database'), { recursive: true })
    const directory = await claimDataDirectory(path)
    await expect(directory.secret()).rejects.toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/^BILLING_SECRET .* missing$/)],
    })
    await writeFile(join(path, 'secret'), 'short')
    await expect(directory.secret()).rejects.toThrow('does not contain a secret')
    directory.release()
  })

  it('syncs every commit to the disk', { tags: 'long' }, async () => {
    await cp(await emptyPGlite(), join(path, 'database'), { recursive: true })
    const directory = await claimDataDirectory(path)
    const database = await directory.database({ create: async () => {} })
    const settings = await database.query(
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method') order by name",
    )
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'wal_sync_method', setting: 'fsync' },
    ])
    await database.close()
    directory.release()
  })

  it('has no database after a failed creation, then creates it once and reopens it with all data', {
    tags: 'long',
  }, async () => {
    await mkdir(join(path, 'database.new-0123'), { recursive: true })
    await writeFile(join(path, 'database.new-0123', 'PG_VERSION'), '18')
    const databases = async () => (await readdir(path)).filter((name) => name.startsWith('database'))
    const directory = await claimDataDirectory(path)
    await expect(directory.database({ create: () => Promise.reject(new Error('no')) })).rejects.toThrow('no')
    expect(await databases()).not.toContain('database')
    const first = await directory.database({
      async create(database) {
        await database.query('create table kept (n integer); insert into kept values (1)')
      },
    })
    expect(await databases()).toEqual(['database', 'database.files.json', 'database.position'])
    expect(await modeOf('database')).toBe(0o700)
    await first.query('insert into kept values (2)')
    await first.close()
    const again = await directory.database({ create: () => Promise.reject(new Error('made twice')) })
    expect(await again.query('select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }])
    await again.close()
    directory.release()
  })

  it.skipIf(process.platform === 'win32').each([
    ['the database', 'database', 'there'],
    ['the database, whose target is missing', 'database', 'missing'],
    ['a folder of the database', 'database/pg_wal', 'there'],
  ])('refuses a link in place of %s in one line', async (_, name, target) => {
    await mkdir(join(path, ...(name.includes('/') ? ['database'] : [])), { recursive: true })
    await mkdir(join(parent, 'there'))
    await symlink(join(parent, target), join(path, name))
    const directory = await claimDataDirectory(path)
    await expect(directory.database({ create: async () => {} })).rejects.toMatchObject({
      exitCode: 2,
      lines: [
        `DATA_DIR ${path}: ${join(path, name)} is a symbolic link. Move its target here; only DATA_DIR as a whole may be a link`,
      ],
    })
    directory.release()
    expect(await readdir(join(parent, 'there'))).toEqual([])
  })

  it.runIf(process.platform === 'linux').each(['/sys', '/proc/self', '/proc/x', '/proc/x/y'])(
    'is refused in one line where nothing can be written: %s',
    async (unwritable) => {
      await expect(claimDataDirectory(unwritable)).rejects.toMatchObject({
        exitCode: 2,
        lines: [expect.stringMatching(`^DATA_DIR ${unwritable} cannot be used: E`)],
      })
    },
  )

  it.each([
    ['file', 'it is not a folder'],
    ['file/below', 'a part of this path is not a folder'],
  ])('is refused if its path is %s, with what to do', async (path, reason) => {
    await writeFile(join(parent, 'file'), '')
    await expect(claimDataDirectory(join(parent, path))).rejects.toMatchObject({
      exitCode: 2,
      lines: [
        `DATA_DIR ${join(parent, path)} cannot be used: ${reason}. Set DATA_DIR to a folder; a missing one is created`,
      ],
    })
    expect(await readFile(join(parent, 'file'), 'utf8')).toBe('')
  })
})
