// @module-tag long

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../test/service-process.js'
import { killsOr } from './testing/kills.js'
import {
  canUnshare,
  creditIn,
  creditOf,
  patchCredit,
  serve,
  serveInContainer,
  serviceFile,
} from './testing/process.js'

/** Milliseconds from the first update to each kill. */
const pauses = Array.from(
  { length: killsOr(process.env.SECURITY === 'all' ? 6 : 1) },
  (_, kill) => [90, 10, 20, 40, 160, 300][kill % 6],
)

describe.runIf(existsSync(serviceFile))('the service as a process that is killed', () => {
  const data = dataDirectory()

  it('loses no acknowledged update to repeated SIGKILL', {
    timeout: 60_000 + 20_000 * pauses.length,
  }, async () => {
    let credit = 0
    const apiKey = await data.keyOf('reseller-a')
    const start = () => serve({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
    let service = await start()
    for (const pause of pauses) {
      const { url, child, ended } = service
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
        // The process is dead. The last update may or may not have been made.
      }
      expect((await ended).signal).toBe('SIGKILL')
      service = await start()
      const kept = await creditOf(service.url, apiKey, 1)
      expect([credit, sent]).toContain(kept)
      credit = kept
    }
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    service = await start()
    expect(await creditOf(service.url, apiKey, 1)).toBe(credit)
    expect(credit).toBeGreaterThan(0)
  })

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
