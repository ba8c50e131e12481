import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.js'

describe('a locked directory', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'billing-lock-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const leaveLock = (pid: number | undefined, started: string, host = hostname()) =>
    writeFile(join(directory, `lock-${pid}.json`), JSON.stringify({ pid, host, started }))
  const isTaken = async () => {
    const lock = await lockDirectory(directory)
    expect(await readdir(directory)).toEqual([`lock-${process.pid}.json`])
    lock.release()
    expect(await readdir(directory)).toEqual([])
  }

  it('is free again after its release', async () => {
    await isTaken()
    await isTaken()
  })

  it('is refused to a second owner within the process', async () => {
    const lock = await lockDirectory(directory)
    await expect(lockDirectory(directory)).rejects.toThrow(
      `DATA_DIR ${directory} is in use by process ${process.pid}`,
    )
    lock.release()
  })

  it('is refused while another process lives that has it', async () => {
    const other = await sleeper()
    try {
      await leaveLock(other.pid, await startOf(other.pid))
      await expect(lockDirectory(directory)).rejects.toMatchObject({
        exitCode: 1,
        lines: [`DATA_DIR ${directory} is in use by process ${other.pid}`],
      })
      expect(await readdir(directory)).toEqual([`lock-${other.pid}.json`])
    } finally {
      other.end()
    }
  })

  it('is taken over from a process that has ended', async () => {
    const other = await sleeper()
    await leaveLock(other.pid, await startOf(other.pid))
    await other.end()
    await isTaken()
  })

  it.runIf(process.platform === 'linux')(
    'is taken over from a process whose id another one has now',
    async () => {
      const other = await sleeper()
      try {
        await leaveLock(other.pid, 'an earlier start')
        await isTaken()
      } finally {
        await other.end()
      }
    },
  )

  it('is taken over from a lock file that a crash left half written', async () => {
    await writeFile(join(directory, 'lock-77.json'), '{"pid":7')
    await isTaken()
  })

  it('is refused where a process of another machine may have it', async () => {
    await leaveLock(77, 'sometime', 'elsewhere')
    await expect(lockDirectory(directory)).rejects.toThrow(
      `DATA_DIR ${directory} is in use by process 77 on elsewhere (if that has gone, remove lock-77.json)`,
    )
  })

  async function sleeper() {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'])
    await once(child.stdout, 'data')
    const end = async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    return { pid: child.pid, end }
  }

  async function startOf(pid: number | undefined): Promise<string> {
    if (process.platform !== 'linux') return ''
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${stat.split(') ')[1]?.split(' ')[19]}`
  }
})
