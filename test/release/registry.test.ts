// @module-tag long

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { project as repository } from '../built-duet.js'
import { type LocalRegistry, startRegistry } from './local-registry.js'

// The steps of a new user with packages from a registry: they are published as in a release, and no process here knows
// the path of this repository.

let folder: string
let registry: LocalRegistry

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-registry-'))
  registry = await startRegistry(join(folder, 'registry'))
}, 300_000)

afterAll(async () => {
  await registry?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const managers = {
  npm: { packages: [], create: ['create', 'duet@latest', 'shop', '--', '--spec', 'shop.yaml'] },
  pnpm: { packages: ['pnpm@10.18.3'], create: ['create', 'duet@latest', 'shop', '--spec', 'shop.yaml'] },
  yarn: { packages: ['yarn@1.22.22'], create: ['create', 'duet', 'shop', '--spec', 'shop.yaml'] },
}

/** Times of the steps, for information only. */
const times: string[] = []
const took = (step: string, start: number) =>
  times.push(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${step}`)

afterAll(() => console.log(times.join('\n')))

describe.each(Object.entries(managers))('with %s', (manager, { packages, create }) => {
  let cwd: string
  let path: string
  const run = (...args: string[]) => {
    const env = { ...registry.environment, PATH: path }
    const start = performance.now()
    const { status, stdout, stderr } = spawnSync(manager, args, { cwd, encoding: 'utf8', env })
    took(`${manager} ${args.join(' ')}`, start)
    expect(status, `${manager} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
    return stdout
  }

  beforeAll(() => {
    cwd = join(folder, manager)
    mkdirSync(cwd)
    path = [join(folder, 'tools', manager, 'node_modules/.bin'), process.env.PATH].join(delimiter)
    if (packages.length > 0) {
      const tools = join(folder, 'tools', manager)
      mkdirSync(tools, { recursive: true })
      const args = ['install', '--prefix', tools, ...packages]
      expect(spawnSync('npm', args, { cwd: tools, env: registry.environment }).status).toBe(0)
    }
    writeFileSync(join(cwd, 'shop.yaml'), document)
  }, 300_000)

  it('a project is created, installed, checked, built and tested', () => {
    expect(run(...create)).toContain(
      `cd shop\n  ${manager} install\n  ${manager} run build && ${manager} test && ${manager} start\n`,
    )
    cwd = join(cwd, 'shop')
    const { version } = JSON.parse(readFileSync(join(repository, 'generator/package.json'), 'utf8'))
    const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
    expect(manifest.devDependencies['duet-api']).toBe(`^${version}`)
    expect(manifest.dependencies['duet-runtime']).toBe(`^${version}`)
    run('install')
    expect(run('run', 'check')).toContain('in step: src/handlers with 1.0\n')
    run('run', 'build')
    const tested = run('test')
    expect(tested).toMatch(/^# fail 0$/m)
    expect(tested).toContain('0 of 1 operations reached success')
  }, 300_000)

  it('the project starts and answers over both protocols', async () => {
    const start = performance.now()
    const server = spawn(process.execPath, ['dist/src/main.js'], {
      cwd,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(server.stdout), 'line')
    const url = /http:\S+/.exec(String(line))?.[0] ?? ''
    took(`${manager} start`, start)
    const calls = performance.now()
    const rest = await fetch(`${url}/orders/7`)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'orders.get', params: { id: '7' } })
    const headers = { 'content-type': 'application/json' }
    const rpc = await fetch(url, { method: 'POST', headers, body })
    took('a call over REST and one over JSON-RPC', calls)
    const problem = { code: 'not_implemented', status: 501 }
    expect(await rest.json()).toMatchObject(problem)
    expect(await rpc.json()).toMatchObject({ id: 1, error: { data: problem } })
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  })
})

const document = `openapi: 3.1.1
info: { title: Shop, version: '1.0' }
paths:
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: The order, content: { application/json: { schema: { type: object } } } }
`
