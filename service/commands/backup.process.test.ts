// @module-tag long

import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataDirectory } from '../../test/service-process.js'
import { commandFile, creditOf, patchCredit, run, serve, serviceFile } from '../testing/process.js'

describe.runIf(existsSync(serviceFile))('backup and restore', () => {
  const data = dataDirectory()
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'billing-backup-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const command = async (name: string, ...args: string[]) => {
    const { ended, output, errors } = run(commandFile(name), { DATA_DIR: data.path }, args)
    return { code: (await ended).code, output: output(), errors: errors() }
  }

  it('copy a running service, and restore it when its data are damaged', async () => {
    const apiKey = await data.keyOf('reseller-a')
    const service = await serve({ DATA_DIR: data.path })
    const backup = join(folder, 'running')
    await patchCredit(service.url, apiKey, 1, 41)
    const backingUp = command('backup', backup)
    // Changes continue meanwhile. The backup has all that were acknowledged before its request.
    for (let credit = 42; !existsSync(backup); credit += 1)
      expect((await patchCredit(service.url, apiKey, 1, credit)).status).toBe(200)
    expect(await backingUp).toEqual({ code: 0, output: `backup: ${backup}\n`, errors: '' })
    expect(await command('restore', backup)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is in use by process'),
    })
    service.child.kill('SIGKILL')
    await service.ended

    await rm(join(data.path, 'database', 'pg_wal'), { recursive: true })
    const damaged = run(serviceFile, { DATA_DIR: data.path, PORT: '0' })
    expect((await damaged.ended).code).toBe(1)
    expect(damaged.errors()).toContain(`DATA_DIR ${data.path} is damaged: database/pg_wal is missing\n`)

    const restored = await command('restore', backup)
    expect(restored).toMatchObject({ code: 0, errors: '' })
    const [, replaced = ''] = /^replaced data: (.*)$/m.exec(restored.output) ?? []
    expect(await readdir(replaced)).toContain('database')
    const again = await serve({ DATA_DIR: data.path })
    expect(await creditOf(again.url, apiKey, 1)).toBeGreaterThanOrEqual(41)
  })

  it('copy a closed database into a folder that a service can start on', async () => {
    const backup = join(folder, 'stopped')
    expect(await command('backup', backup)).toMatchObject({ code: 0, errors: '' })
    expect(await command('backup', backup)).toEqual({
      code: 2,
      output: '',
      errors: `${backup} already exists\n`,
    })
    const within = join(data.path, 'copy')
    expect(await command('backup', within)).toEqual({
      code: 2,
      output: '',
      errors: `${within} is within the data: a backup is lost with them there\n`,
    })
    const service = await serve({ DATA_DIR: backup })
    expect(await creditOf(service.url, await data.keyOf('reseller-a'), 1)).toBe(250.5)
    await rm(join(data.path, 'secret'))
    const bare = join(folder, 'bare')
    const note = 'It contains no secret: restore it with the BILLING_SECRET of its database.\n'
    expect(await command('backup', bare)).toEqual({ code: 0, output: `backup: ${bare}\n${note}`, errors: '' })
    await cp(join(backup, 'secret'), join(data.path, 'secret'))
  })

  it('may be followed by a new secret, even after an interrupted rotation', async () => {
    const secret = () => readFile(join(data.path, 'secret'), 'utf8')
    const first = await secret()
    const rotated = { code: 0, output: 'API keys encrypted with the new secret: 3\n', errors: '' }
    expect(await command('secret-rotate')).toEqual(rotated)
    // Interrupted before the new secret replaced the old one.
    await rename(join(data.path, 'secret'), join(data.path, 'secret.next'))
    await writeFile(join(data.path, 'secret'), first)
    const service = await serve({ DATA_DIR: data.path })
    expect(await creditOf(service.url, await data.keyOf('reseller-a'), 1)).toBe(250.5)
    service.child.kill('SIGKILL')
    await service.ended
    expect(await command('secret-rotate')).toEqual({
      ...rotated,
      output: 'API keys encrypted with the new secret: 0\n',
    })
    expect(await secret()).not.toBe(first)
    expect(existsSync(join(data.path, 'secret.next'))).toBe(false)
  })

  it('refuse a damaged backup and damaged data', async () => {
    const backup = join(folder, 'damaged')
    await command('backup', backup)
    const file = join('database', 'global', '1260')
    await truncate(join(backup, file), 0)
    const before = await readdir(data.path)
    expect(await command('restore', backup)).toMatchObject({
      code: 1,
      errors: `${backup} is damaged: ${file} has 0 bytes instead of 8192\n`,
    })
    expect(await readdir(data.path)).toEqual(before)
    await cp(join(backup, file), join(data.path, file))
    expect(await command('backup', join(folder, 'another'))).toMatchObject({ code: 1 })
    expect(existsSync(join(folder, 'another'))).toBe(false)
  })
})
