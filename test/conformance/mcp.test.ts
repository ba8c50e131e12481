import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { toolsApi } from '../mcp/service.js'

// The official suite of MCP against the tools of test/mcp/tools.yaml. It needs Node 22, so it brings its own.

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
let folder: string
let served: Served

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-conformance-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', suite, 'node@24.9.0'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  served = await serveNode(await toolsApi())
}, 300_000)

afterAll(async () => {
  await served?.close()
  rmSync(folder, { recursive: true, force: true })
})

it.each(['2026-07-28', '2025-11-25'])(
  'MCP %s: every required scenario passes, or needs a feature that services do not have',
  async (revision) => {
    const expected = fileURLToPath(new URL(`${revision}.yaml`, import.meta.url))
    const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const url = `http://127.0.0.1:${served.port}/mcp`
    const args = [
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      expected,
      '-o',
      'out',
    ]
    const run = spawn(join(folder, 'node_modules/node/bin/node'), [program, ...args], { cwd: folder })
    let output = ''
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (output += text))
    const [code] = await once(run, 'close')
    const summary = output.slice(output.indexOf('=== SUMMARY ==='))
    console.log(`MCP ${revision}\n${summary}`)
    expect(code, summary).toBe(0)
  },
  600_000,
)
