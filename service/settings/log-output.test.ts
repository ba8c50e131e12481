import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLogOutput } from './log-output.js'

describe('the output of the log', () => {
  let folder: string
  let pipe: number
  /** Opens the other end of the pipe, and closes it with the output. */
  let end: () => number
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'billing-log-'))
    const path = join(folder, 'pipe')
    spawnSync('mkfifo', [path])
    pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    end = () => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  })
  afterEach(() => {
    closeSync(pipe)
    rmSync(folder, { recursive: true })
  })

  it('drops lines without a reader, and reports their number once there is room', async () => {
    const output = openLogOutput(end(), 10_000)
    const told: number[] = []
    output.onRoom = (dropped) => told.push(dropped)
    const line = `${'x'.repeat(999)}\n`
    let lines = 0
    // A pipe holds 64 KiB, and the output 10,000 bytes more.
    for (; lines < 200; lines++) {
      output.write(line)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(output.dropped).toBeGreaterThan(100)
    expect(told).toEqual([])
    const dropped = output.dropped
    let read = 0
    await expect
      .poll(() => {
        read += readAll(pipe)
        return told
      })
      .toEqual([dropped])
    read += readAll(pipe)
    expect(read).toBe((lines - dropped) * 1_000)
  })

  it('goes on after a full disk has room again, whatever waits', async () => {
    const fd = openSync('/dev/full', 'w')
    const output = openLogOutput(fd, 2_000)
    for (let i = 0; i < 5; i++) output.write(`${'x'.repeat(999)}\n`)
    await expect.poll(() => output.dropped).toBe(3)
    const path = join(folder, 'log')
    closeSync(fd)
    // The lowest free number is given to the next file.
    expect(openSync(path, 'w')).toBe(fd)
    await expect.poll(() => readFileSync(path).length, { timeout: 60_000 }).toBe(2_000)
    output.write('the next line\n')
    await output.end(10_000)
    expect(readFileSync(path, 'utf8').endsWith('\nthe next line\n')).toBe(true)
  })

  it('writes waiting lines before it ends, and waits only shortly for a reader', async () => {
    const output = openLogOutput(end())
    output.write('the last line\n')
    await output.end(10_000)
    expect(readAll(pipe)).toBe(14)
    const unread = openLogOutput(end())
    unread.write('x'.repeat(200_000))
    await unread.end(50)
    unread.write('too late')
  })
})

function readAll(pipe: number): number {
  const buffer = Buffer.alloc(65_536)
  let read = 0
  for (;;) {
    try {
      read += readSync(pipe, buffer)
    } catch {
      return read
    }
  }
}
