// @module-tag long

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../test/service-process.js'
import { serve, serviceFile } from './testing/process.js'

describe.runIf(existsSync(serviceFile))('the log of a process', () => {
  const data = dataDirectory()

  it('delays no call without a reader, and counts dropped lines', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path, LOG_LIMIT: '0' })
    child.stderr?.pause()
    const batch = JSON.stringify(
      Array.from({ length: 100 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'clients.get',
        params: { id: 1 },
      })),
    )
    // 10,000 lines, more than fit into a pipe and the log's memory.
    for (let i = 0; i < 100; i++) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: batch,
      })
      await answer.arrayBuffer()
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const dropped = async () =>
      Number(/^billing_log_dropped_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
    expect(await dropped()).toBeGreaterThan(100)
    child.stderr?.resume()
    let read = ''
    child.stderr?.on('data', (data) => {
      read += data
    })
    await expect.poll(() => read).toContain('lines were dropped')
    child.stderr?.pause()
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    child.stderr?.resume()
    await ended
  })
})
