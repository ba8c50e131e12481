import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  canUnshare,
  creditIn,
  creditOf,
  dataDirectory,
  patchCredit,
  run,
  serve,
  serveInContainer,
  serviceFile,
} from './testing/process.js'

/** Making databases is the slowest there is, several times over on a busy machine. */
const firstStartMs = 90_000

describe.runIf(existsSync(serviceFile))('the service as a process that is killed', () => {
  const data = dataDirectory()

  it('loses no acknowledged update to SIGKILL, time and again', async () => {
    let credit = 0
    for (const pause of [40, 90, 160]) {
      const { url, child, ended } = await serve({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
      const apiKey = await data.keyOf('reseller-a')
      if (credit > 0) expect(await creditOf(url, apiKey, 1)).toBe(credit)
      credit = await creditIn(await patchCredit(url, apiKey, 1, credit + 1))
      setTimeout(() => child.kill('SIGKILL'), pause)
      let sent = credit
      try {
        for (;;) {
          sent += 1
          const response = await patchCredit(url, apiKey, 1, sent)
          if (response.status === 200) credit = await creditIn(response)
        }
      } catch {
        // The process has gone; the last update may or may not have been made.
      }
      expect((await ended).signal).toBe('SIGKILL')
      const again = await serve({ DATA_DIR: data.path })
      const kept = await creditOf(again.url, apiKey, 1)
      expect([credit, sent]).toContain(kept)
      credit = kept
      again.child.kill('SIGTERM')
      expect((await again.ended).code).toBe(0)
    }
    expect(credit).toBeGreaterThan(0)
  })

  it(
    'starts whole after SIGKILL at any moment of its first start',
    async () => {
      await rm(data.path, { recursive: true })
      for (const pause of [200, 700, 1_200, 1_700, 2_200, 2_700]) {
        const { child, ended, output } = run(serviceFile, { PORT: '0', DATA_DIR: data.path })
        await Promise.race([delay(pause), ended])
        child.kill('SIGKILL')
        await ended
        if (output() !== '') break
      }
      const { url } = await serve({ DATA_DIR: data.path })
      expect((await data.users()).map((user) => user.login)).toEqual(['admin', 'reseller-a', 'reseller-b'])
      expect(await creditOf(url, await data.keyOf('reseller-b'), 4)).toBe(9999.9999)
      expect((await readdir(data.path)).filter((name) => name.includes('new'))).toEqual([])
    },
    firstStartMs,
  )

  it.each(['before', 'after'])(
    'starts with credentials that work when its first start ends right %s the database is in place',
    async (moment) => {
      await rm(data.path, { recursive: true })
      // Ends the process at the rename that moves the database into place, on the side that is asked for.
      const source = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { rename } = fs.promises
const die = () => process.kill(process.pid, 'SIGKILL')
fs.promises.rename = async (from, to) => {
  const last = to.endsWith('/database')
  if (last && ${moment === 'before'}) die()
  await rename(from, to)
  if (last) die()
}
syncBuiltinESMExports()`
      const first = run(serviceFile, {
        PORT: '0',
        DATA_DIR: data.path,
        NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`,
      })
      expect((await first.ended).signal).toBe('SIGKILL')
      expect(existsSync(join(data.path, 'database'))).toBe(moment === 'after')
      const { url } = await serve({ DATA_DIR: data.path })
      expect(await creditOf(url, await data.keyOf('reseller-b'), 4)).toBe(9999.9999)
    },
    firstStartMs,
  )

  it.runIf(canUnshare)(
    'is kept out by another container on its volume, and opens it when that one was killed',
    async () => {
      const first = await serveInContainer('boxa', { DATA_DIR: data.path })
      const second = await serveInContainer('boxb', { DATA_DIR: data.path }).catch(
        (error: Error) => error.message,
      )
      expect(second).toContain(`DATA_DIR ${data.path} is in use by process 1 on boxa`)
      const sameName = await serveInContainer('boxa', { DATA_DIR: data.path }).catch(
        (error: Error) => error.message,
      )
      expect(sameName).toContain(`DATA_DIR ${data.path} is in use by process 1`)
      const apiKey = await data.keyOf('reseller-a')
      await patchCredit(first.url, apiKey, 1, 88)
      first.child.kill('SIGKILL')
      await first.ended
      const third = await serveInContainer('boxc', { DATA_DIR: data.path })
      expect(await creditOf(third.url, apiKey, 1)).toBe(88)
    },
  )
})
