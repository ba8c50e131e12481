import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LockError, withLocks } from './lock.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'duet-lock-'))
})

afterEach(() => rmSync(root, { recursive: true }))

const lock = () => join(root, '.out.duet-lock')
const held = (pid: number, host = hostname()) =>
  writeFileSync(lock(), JSON.stringify({ pid, host, since: new Date().toISOString() }))

describe('a folder that a process writes into', () => {
  it('is locked during the work, and leaves no lock file', async () => {
    const folders = [join(root, 'new/out'), join(root, 'out')]
    expect(await withLocks(folders, () => existsSync(lock()))).toBe(true)
    expect(readdirSync(root)).toEqual([])
  })

  it('is unlocked if the work fails', async () => {
    const fail = () => {
      throw new Error('full disk')
    }
    await expect(withLocks([join(root, 'out')], fail)).rejects.toThrow('full disk')
    expect(readdirSync(root)).toEqual([])
  })

  it('is waited for, with one notice', async () => {
    held(process.ppid)
    const told: string[] = []
    const work = withLocks([join(root, 'out')], () => 'done', { waiting: (holder) => told.push(holder) })
    await new Promise((resolve) => setTimeout(resolve, 200))
    rmSync(lock())
    expect(await work).toBe('done')
    expect(told).toEqual([expect.stringContaining(`Process ${process.ppid}, since `)])
  })

  it('is not waited for forever, and the message has a remedy', async () => {
    held(process.ppid)
    const work = withLocks([join(root, 'out')], () => 'done', { patience: 100 })
    await expect(work).rejects.toThrow(LockError)
    await expect(work).rejects.toThrow(`If it is not a duet process, delete ${lock()}.`)
    expect(existsSync(lock())).toBe(true)
  })

  it('is taken over from a process that was killed', async () => {
    held(spawnSync(process.execPath, ['-e', '']).pid)
    expect(await withLocks([join(root, 'out')], () => 'done', { patience: 100 })).toBe('done')
    expect(readdirSync(root)).toEqual([])
  })

  it('is left to a process of another machine', async () => {
    held(1, 'elsewhere')
    await expect(withLocks([join(root, 'out')], () => 'done', { patience: 100 })).rejects.toThrow(
      'on elsewhere is still writing',
    )
  })

  it('is taken one process after the other', async () => {
    mkdirSync(join(root, 'out'))
    let inside = 0
    const work = async () => {
      inside += 1
      expect(inside).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside -= 1
    }
    const folders = [join(root, 'out'), join(root, 'other')]
    await Promise.all([withLocks(folders, work), withLocks(folders.reverse(), work)])
    expect(readdirSync(root)).toEqual(['out'])
  })
})
