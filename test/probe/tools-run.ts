import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { runDuet } from '../in-process.js'
import { toolsApi } from '../mcp/service.js'
import { type PassingService, spoilingProxy } from './spoiling-proxy.js'

const document = fileURLToPath(new URL('../mcp/tools.yaml', import.meta.url))

/** `duet test` on the tools of test/mcp/tools.yaml, which a service serves for all tests of a file. */
export function toolsRun() {
  let served: Served
  let proxy: PassingService | undefined
  let cwd: string
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'duet-tools-'))
    served = await serveNode(await toolsApi())
  })
  beforeEach(() => void vi.stubEnv('DUET_KEY', 'good'))
  afterEach(async () => {
    vi.unstubAllEnvs()
    await proxy?.close()
    proxy = undefined
  })
  afterAll(async () => {
    await served.close()
    rmSync(cwd, { recursive: true })
  })
  const url = () => `http://127.0.0.1:${served.port}`
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  const duet = (...args: string[]) => runDuet(cwd, args)

  /** The operations that a test spoils are enough to see it. `clients.get` takes its numbers from `clients.list`. */
  function callOnly(...spoiled: string[]): void {
    const called = spoiled.includes('clients.get') ? ['clients.list', ...spoiled] : spoiled
    const names = [...readFileSync(document, 'utf8').matchAll(/operationId: (\S+)/g)].map(
      ([, name]) => name ?? '',
    )
    const skipped = names.filter((name) => !called.includes(name)).map((name) => `${name}: { skip: true }`)
    write('data.yaml', `operations: { ${skipped.join(', ')} }`)
  }

  const run = (target: string, ...args: string[]) =>
    duet(
      ...['test', target, '--spec', document, '--seed', '1', '--rate', '9999'],
      ...(args.includes('--data') ? args : ['--data', 'data.yaml', ...args]),
    )

  async function report(target: string, ...args: string[]) {
    const { out, err } = await run(target, ...args, '--format', 'json')
    expect(err).toBe('')
    return JSON.parse(out) as {
      protocols: string[]
      findings: { kind: string; operation: string; protocol: string; message: string; fingerprint: string }[]
    }
  }

  /** The address of the service behind a proxy that changes messages. */
  async function spoiled(change: Parameters<typeof spoilingProxy>[1]): Promise<string> {
    proxy = await spoilingProxy(url(), change)
    return proxy.url
  }

  return { url, write, duet, callOnly, run, report, spoiled }
}
