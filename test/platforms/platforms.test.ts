import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { project } from '../built-duet.js'
import { generateKitchenSink } from '../kitchen-sink/service.js'
import { type Platform, platforms } from './platforms.js'

// The packed runtime serves the kitchen sink under each platform, and the tests of the kitchen sink call it from
// outside.

const only = process.env.PLATFORM
const chosen = Object.entries(platforms).filter(([name]) => only === 'all' || name === only)
let folder: string
const started: ChildProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-platforms-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['pack', '--silent', '--workspace', 'duet-runtime', '--pack-destination', folder], project)
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const packages = [
    `./${archive}`,
    '@types/node@20.19.43',
    '@standard-schema/spec@1.1.0',
    ...chosen.flatMap(([, platform]) => platform.packages),
  ]
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], folder)
  await bundleApp()
}, 300_000)

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe.each(chosen)('under %s', (_, platform) => {
  let port: number

  beforeAll(async () => {
    port = await start(platform)
  }, 60_000)

  it('the api passes the tests of the kitchen sink', () => {
    const tests = ['test/kitchen-sink/rest.test.ts', 'test/kitchen-sink/clients.test.ts']
    const { STAGE: _, VITEST: __, ...inherited } = process.env
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter', 'dot', ...tests],
      { cwd: project, encoding: 'utf8', env: { ...inherited, KITCHEN_SINK_PORT: String(port) } },
    )
    expect(status, stdout + stderr).toBe(0)
  }, 120_000)

  it('it answers rpc.discover', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/api/v2`, { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ id: 1, result: { openrpc: '1.3.2' } })
  })
})

it.runIf(only === undefined || only === 'Hono')('Hono validates by Standard Schemas', () => {
  writeFileSync(join(folder, 'consumer.js'), consumerText)
  const { stdout, stderr } = spawnSync(process.execPath, ['consumer.js'], { cwd: folder, encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '200 {"amount":5,"live":false}\n400 amount\n', stderr: '' })
})

it.runIf(only === undefined)('types are those of Fastify, Hono and Standard Schema', () => {
  writeFileSync(join(folder, 'types.ts'), typesText)
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--types', 'node', 'types.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

const consumerText = `import { sValidator } from '@hono/standard-validator'
import { Hono } from 'hono'
import { schemas } from './schemas.js'
const { params } = schemas['charges.create']
const app = new Hono().post('/', sValidator('json', params), (context) => context.json(context.req.valid('json')))
const headers = { 'content-type': 'application/json' }
const send = (body) => app.request('/', { method: 'POST', headers, body: JSON.stringify(body) })
const good = await send({ amount: 5 })
console.log(good.status, await good.text())
const bad = await send({ amount: 'x' })
console.log(bad.status, (await bad.json()).error[0].path.join('/'))
`

const typesText = `import { sValidator } from '@hono/standard-validator'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Api } from 'duet-runtime'
import type { StandardSchema } from 'duet-runtime/schema'
import Fastify from 'fastify'
import { Hono } from 'hono'
declare const api: Api<Record<string, never>, object>
declare const schema: StandardSchema<{ a?: number }, { a: number }>
await Fastify().register(api.fastify(), { prefix: '/v1' })
const app = new Hono()
app.mount('/v1', api.fetch)
app.post('/', sValidator('json', schema), (context) => context.json(context.req.valid('json').a.toFixed()))
export const one: StandardSchemaV1<{ a?: number }, { a: number }> = schema
export const other: StandardJSONSchemaV1<{ a?: number }, { a: number }> = schema
`

/** `app.js`, which imports the installed runtime, and `app-bundled.js`, which has all that a Worker needs. */
async function bundleApp(): Promise<void> {
  const directory = await generateKitchenSink()
  try {
    writeFileSync(join(directory, 'app.ts'), appText)
    for (const [input, name, external] of [
      ['app.ts', 'app.js', [/^duet-runtime/]],
      ['app.ts', 'app-bundled.js', []],
      ['schemas.ts', 'schemas.js', [/^duet-runtime/]],
    ] as const) {
      const bundle = await rolldown({
        input: join(directory, input),
        external: [...external],
        platform: 'node',
        // A Worker has no require for what CommonJS packages take from node.
        plugins: [esmExternalRequirePlugin({ external: [/^node:/] })],
        resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      })
      await bundle.write({ file: join(folder, name), format: 'esm', codeSplitting: false })
      await bundle.close()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const appText = `import { createApi } from './index.js'
import openrpc from './openrpc.json'
import { handlers } from '../../handlers.js'

export const api = createApi({ handlers: handlers as never, authenticate: () => ({}), openrpc })
`

/** The port at which a platform has begun to answer. */
async function start({ main, config, command }: Platform): Promise<number> {
  const free = await freePort()
  for (const file of [main, config?.(free)]) {
    if (file !== undefined) writeFileSync(join(folder, file.name), file.text)
  }
  const [program = '', ...args] = command(folder, free)
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  if (config === undefined) {
    const [line] = await once(createInterface(child.stdout), 'line')
    return Number(line)
  }
  await vi.waitFor(() => fetch(`http://127.0.0.1:${free}/`), { timeout: 30_000, interval: 100 })
  return free
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
}
