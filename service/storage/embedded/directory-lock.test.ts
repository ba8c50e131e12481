// @module-tag long

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.js'
import { kernelOf } from './kernel.js'

const pace = { beatMs: 20, expiryMs: 100 }

describe('a locked directory', () => {
  let directory: string
  const children: ChildProcess[] = []
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'billing-lock-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })

  const lock = (path = directory, onLost = () => {}) => lockDirectory(path, onLost, pace)
  const announcement = (id: string) => join(directory, `lock-${id}.json`)
  const announce = async (id: string, owner: object, file = announcement(id)) => {
    await writeFile(file, JSON.stringify({ pid: 1, host: hostname(), kernel: '', ...owner }))
    return file
  }
  const isTaken = async () => {
    const taken = await lock()
    expect((await readdir(directory)).map((name) => name.replace(/-\w+/, ''))).toEqual([
      'lock.json',
      'lock.sock',
    ])
    taken.release()
    expect(await readdir(directory)).toEqual([])
  }

  it('is free again after its release', async () => {
    await isTaken()
    await isTaken()
  })

  it('is refused to a second owner within the process', async () => {
    const first = await lock()
    await expect(lock()).rejects.toMatchObject({
      exitCode: 1,
      lines: [`DATA_DIR ${directory} is in use by process ${process.pid}`],
    })
    first.release()
    await isTaken()
  })

  it('has one owner among concurrent attempts', async () => {
    const results = await Promise.allSettled([lock(), lock(), lock()])
    const owners = results.filter((result) => result.status === 'fulfilled')
    expect(owners.length).toBeLessThanOrEqual(1)
    for (const { value } of owners) value.release()
    await isTaken()
  })

  it('is refused if the owner has this process’s id and another host name, as in a second container', async () => {
    await listen('a')
    await announce('a', { pid: process.pid, host: 'boxa', kernel: await kernelOf(directory) })
    await expect(lock()).rejects.toThrow(`DATA_DIR ${directory} is in use by process ${process.pid} on boxa`)
    expect((await readdir(directory)).sort()).toEqual(['lock-a.json', 'lock-a.sock'])
  })

  it('is refused if the owner’s id is unknown here and its heartbeat has stopped, as for a suspended process', async () => {
    const child = await listen('a')
    await utimes(await announce('a', { pid: 4_000_000, kernel: await kernelOf(directory) }), 1, 1)
    child.kill('SIGSTOP')
    await expect(lock()).rejects.toThrow(`DATA_DIR ${directory} is in use by process 4000000`)
  })

  it('is taken at once from a killed owner with any host name', async () => {
    const child = await listen('a')
    await announce('a', { host: 'gone', kernel: await kernelOf(directory) })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    // Waiting for the heartbeat to expire would exceed the test's timeout.
    await lockDirectory(directory, () => {}, { beatMs: 20, expiryMs: 600_000 }).then(({ release }) =>
      release(),
    )
    expect(await readdir(directory)).toEqual([])
  })

  it('is refused while an owner on another machine has a heartbeat', async () => {
    const file = await announce('a', { pid: 7, host: 'elsewhere', kernel: 'another' })
    const beat = setInterval(() => void utimes(file, new Date(), new Date()), 10)
    const patient = lockDirectory(directory, () => {}, { beatMs: 20, expiryMs: 10_000 })
    await expect(patient).rejects.toThrow(`DATA_DIR ${directory} is in use by process 7 on elsewhere`)
    clearInterval(beat)
  })

  it('is not taken before the heartbeat of another machine’s owner has expired', async () => {
    await announce('a', { host: 'elsewhere', kernel: 'another' })
    const start = performance.now()
    await isTaken()
    expect(performance.now() - start).toBeGreaterThan(0.9 * pace.expiryMs)
  })

  it('is taken from an owner that a crash of the machine left half written', async () => {
    await writeFile(announcement('a'), '{"pid":7')
    await isTaken()
  })

  it('is lost by an owner whose announcement another machine removed', async () => {
    const lost = new Promise<void>((resolve) => void lock(directory, resolve))
    const announced = async () => (await readdir(directory)).filter((entry) => entry.endsWith('.json'))
    await expect.poll(announced).toHaveLength(1)
    for (const name of await announced()) await rm(join(directory, name))
    await lost
    expect(await readdir(directory)).toEqual([])
  })

  it('is cleared of unannounced files, except those of a starting process', async () => {
    for (const name of ['lock-old.json.new', 'lock-young.json.new'])
      await writeFile(join(directory, name), '')
    await utimes(join(directory, 'lock-old.json.new'), 1, 1)
    const taken = await lockDirectory(directory)
    expect((await readdir(directory)).filter((name) => name.endsWith('.new'))).toEqual([
      'lock-young.json.new',
    ])
    taken.release()
  })

  it.runIf(process.platform === 'linux')('is locked at a path longer than a socket’s may be', async () => {
    const deep = join(directory, 'x'.repeat(120))
    await mkdir(deep)
    const first = await lock(deep)
    expect((await readdir(deep)).filter((name) => name.endsWith('.sock'))).toHaveLength(1)
    await expect(lock(deep)).rejects.toThrow('is in use')
    first.release()
    expect(await readdir(deep)).toEqual([])
  })

  it('is locked by its heartbeat alone if the owner’s socket is missing, as on some file systems', async () => {
    await announce('a', { kernel: await kernelOf(directory) })
    const start = performance.now()
    await isTaken()
    expect(performance.now() - start).toBeGreaterThan(0.9 * pace.expiryMs)
  })

  /** Starts another process that listens like an owner. */
  async function listen(id: string): Promise<ChildProcess> {
    const source = `require('node:net').createServer().listen(${JSON.stringify(join(directory, `lock-${id}.sock`))}, () => console.log(1))`
    const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }
})
