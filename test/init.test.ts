// @module-tag long

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build } from './built-duet.js'

// A project created by the packed and installed program, with the first commands of its README: real processes, and npm
// with this environment's registry.

const names = ['duet-runtime', 'duet-templates', 'duet-api']
let folder: string
let program: string
let cwd: string
let project: string

beforeAll(async () => {
  expect(await build()).toBe('')
  folder = mkdtempSync(join(tmpdir(), 'duet-init-'))
  cwd = join(folder, 'work')
  project = join(cwd, 'shop')
  const tools = join(folder, 'tools')
  for (const made of [cwd, tools]) mkdirSync(made)
  const workspaces = names.flatMap((name) => ['-w', name])
  const packed = run(process.cwd(), 'npm', 'pack', '--silent', ...workspaces, '--pack-destination', folder)
  const tarballs = packed.stdout.trim().split('\n')
  expect(tarballs, packed.stderr).toHaveLength(names.length)
  writeFileSync(join(tools, 'package.json'), '{ "private": true }')
  const installed = npmInstall(tools, ...tarballs.map((name) => join(folder, name)))
  expect(installed.status, installed.stderr).toBe(0)
  program = join(tools, 'node_modules/duet-api/bin/duet.js')
})

// A process that has ended may still be writing its compiled code.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function run(folder: string, command: string, ...args: string[]) {
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const npmInstall = (folder: string, ...packages: string[]) =>
  run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages)

const duet = (...args: string[]) => run(cwd, process.execPath, program, ...args)

describe('a project of the billing document', () => {
  it('is created in an empty folder', () => {
    mkdirSync(project)
    const { status, stdout, stderr } = duet(
      'init',
      'shop',
      '--spec',
      resolve('spec/1.0.0/openapi.yaml'),
      '--link',
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(
      /^shop: 6 operations of Billing Service API 1\.0\.0, \d+ files in shop\n\nNext:\n {2}cd shop\n {2}npm install\n/,
    )
    expect(readdirSync(project).sort()).toEqual([
      ...[
        '.github',
        '.gitignore',
        'README.md',
        'dev.js',
        'duet.config.json',
        'generated',
        'package.json',
        'spec',
        'src',
      ],
      ...['test', 'tsconfig.json'],
    ])
    expect(readdirSync(cwd)).toEqual(['shop'])
  })

  it('installs and builds', () => {
    const installed = npmInstall(project)
    expect(installed.status, installed.stderr).toBe(0)
    const built = run(project, 'npm', 'run', '--silent', 'build')
    expect({ status: built.status, stdout: built.stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('passes its test of every operation over both protocols', () => {
    const { status, stdout } = run(project, 'npm', 'test')
    expect(status, stdout).toBe(0)
    expect(stdout).toMatch(/^# todo 6$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toContain('# 0 of 6 operations reached success\n')
    expect(stdout).toContain('# not exercised: iam.auth.jwt.refresh (not_implemented)\n')
  })

  it('matches its document', () => {
    const { status, stdout } = run(project, 'npm', 'run', '--silent', 'check')
    expect({ status, stdout }).toMatchObject({ status: 0 })
    expect(stdout).toContain('in step: src/handlers with 1.0.0\n')
  })

  it('starts, refuses all callers until authentication is implemented, and stops on SIGTERM', async () => {
    const server = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: project,
      env: { ...process.env, PORT: '0' },
    })
    const url = await urlOf(server)
    const rest = await fetch(`${url}/clients/1`, { headers: { 'x-api-key': 'any' } })
    expect(rest.status).toBe(401)
    expect(await rest.json()).toMatchObject({
      code: 'unauthenticated',
      detail: 'Nobody can log in yet: write src/authenticate.ts.',
    })
    // A browser is led to the reference, and a page says that nothing is there.
    const headers = { accept: 'text/html' }
    const start = await fetch(`${url}/`, { headers })
    expect([start.url, await start.text()]).toEqual([
      `${url}/reference/`,
      expect.stringContaining('clients.html#clients.get'),
    ])
    for (const [, href = ''] of (await (await fetch(start.url)).text()).matchAll(
      /(?:src|href)="([^"#:]+?)"/g,
    ))
      expect([href, (await fetch(new URL(href, start.url))).status]).toEqual([href, 200])
    const nothing = await fetch(`${url}/nope`, { headers })
    expect([nothing.status, await nothing.text()]).toEqual([404, expect.stringContaining('Page not found')])
    const stopped = new Promise((done) => server.once('exit', (code) => done(code)))
    server.kill('SIGTERM')
    expect(await stopped).toBe(0)
  })

  it('answers not_implemented over both protocols once callers are authenticated', async () => {
    const text = readFileSync(join(project, 'src/authenticate.ts'), 'utf8')
    const open = text.replace(/throw problem\(.*\)/, "return { id: 'someone' }").replace('problem, ', '')
    writeFileSync(join(project, 'src/authenticate.ts'), open)
    expect(run(project, 'npm', 'run', '--silent', 'build').stdout).toBe('')
    // A separate process group: npm does not forward signals to the processes of its shell.
    const options = { cwd: project, env: { ...process.env, PORT: '0' }, detached: true }
    const server = spawn('npm', ['start', '--silent'], options)
    const url = await urlOf(server)
    const headers = { 'x-api-key': 'any', 'content-type': 'application/json' }
    const rest = await fetch(`${url}/clients/1`, { headers })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 1 } })
    const rpc = await fetch(url, { method: 'POST', headers, body })
    process.kill(-Number(server.pid), 'SIGTERM')
    const problem = { code: 'not_implemented', status: 501, detail: 'clients.get is not implemented yet.' }
    expect(rest.status).toBe(501)
    expect(await rest.json()).toMatchObject(problem)
    expect(await rpc.json()).toMatchObject({ id: 1, error: { code: -32603, data: problem } })
  })

  it('moves to the next version with the commands of its README', () => {
    const spec = readFileSync(join(project, 'spec/1.0.0/openapi.yaml'), 'utf8')
    mkdirSync(join(project, 'spec/1.1.0'))
    const added =
      '  /ping:\n    get:\n      x-rpc-method: ping.send\n      x-provenance: assumed\n      security: []\n      responses: { "204": { description: Done } }\n'
    const next = spec.replace('version: 1.0.0', 'version: 1.1.0').replace(/^paths:\n/m, `paths:\n${added}`)
    writeFileSync(join(project, 'spec/1.1.0/openapi.yaml'), next)
    const manifest = readFileSync(join(project, 'package.json'), 'utf8')
    writeFileSync(join(project, 'package.json'), manifest.replace('scaffold 1.0.0', 'scaffold 1.1.0'))
    expect(run(project, 'npm', 'run', '--silent', 'generate').status).toBe(0)
    expect(run(project, 'npm', 'run', '--silent', 'scaffold').stdout).toContain(
      'added    ping.send  (ping.ts)\n',
    )
    expect(run(project, 'npm', 'run', '--silent', 'build').stdout).toBe('')
    expect(run(project, 'npm', 'test').stdout).toContain('# 0 of 7 operations reached success\n')
  })
})

describe('a project of a document with a base path, files and maps', () => {
  const files = join('files', 'dist/test/parity.test.js')

  it('passes its test', () => {
    expect(duet('init', 'files', '--spec', resolve('test/fixtures/files.yaml')).status).toBe(0)
    linkPackages('files')
    expect(run(join(cwd, 'files'), 'npm', 'run', '--silent', 'build').stdout).toBe('')
    const { stdout } = run(cwd, process.execPath, '--test', files)
    expect(stdout).toMatch(/^# todo 6$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toMatch(/^# skipped 1$/m)
    expect(stdout).toContain('# SKIP REST cannot carry the call: /Content-Length ')
  })

  it('fails its test if the calls reach no operation', () => {
    const text = readFileSync(join(cwd, files), 'utf8')
    expect(text).toContain("contract.basePath ?? ''")
    writeFileSync(join(cwd, files), text.replace("contract.basePath ?? ''", "'/elsewhere'"))
    const { status, stdout } = run(cwd, process.execPath, '--test', files)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^# fail 6$/m)
    expect(stdout).toContain('maps.get is not reached')
  })
})

describe('a project of a document with every kind of security scheme', () => {
  it('is accessible to its own test over both protocols', () => {
    const spec = resolve('test/kitchen-sink/credentials.yaml')
    expect(duet('init', 'credentials', '--spec', spec)).toMatchObject({ status: 0, stderr: '' })
    linkPackages('credentials')
    expect(run(join(cwd, 'credentials'), 'npm', 'run', '--silent', 'build').stdout).toBe('')
    const { stdout } = run(cwd, process.execPath, '--test', 'credentials/dist/test/parity.test.js')
    // Each call reaches its handler, which is not implemented.
    expect(stdout).toMatch(/^# todo 7$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  })
})

describe('a project of a document with error bodies of its own', () => {
  const test = () => run(cwd, process.execPath, '--test', 'own/dist/test/parity.test.js')
  const map = (mapping: string) => {
    const file = join(cwd, 'own/src/api.ts')
    const text = readFileSync(file, 'utf8')
    const mapped = text.replace(
      /(createApi\(\{ )(?:errors: .*?, )?handlers/,
      `$1errors: ${mapping}, handlers`,
    )
    expect(mapped).not.toBe(text)
    writeFileSync(file, mapped)
    return run(join(cwd, 'own'), 'npm', 'run', '--silent', 'build').stdout
  }

  it('has a test for the mapping of its service', () => {
    const spec = resolve('test/fixtures/own-errors.yaml')
    expect(duet('init', 'own', '--spec', spec)).toMatchObject({ status: 0, stderr: '' })
    linkPackages('own')
    expect(map('({ code, requestId }) => ({ reason: code, request: requestId })')).toBe('')
    const { status, stdout } = test()
    expect(stdout).toMatch(/^# todo 1$/m)
    expect(status).toBe(0)
  })

  it('fails its test if a mapped error does not match the declared schema', () => {
    expect(map("() => ({ reason: '' })")).toBe('')
    const { status, stdout } = test()
    expect(status).toBe(1)
    expect(stdout).toContain('orders.get logged an error.')
  })
})

describe('a project of the built-in document', () => {
  const test = () => run(cwd, process.execPath, '--test', 'tasks/dist/test/parity.test.js')
  const handlers = () => join(cwd, 'tasks/dist/src/handlers/tasks.js')

  it('succeeds with every operation', () => {
    expect(duet('init', 'tasks')).toMatchObject({ status: 0, stderr: '' })
    linkPackages('tasks')
    expect(run(join(cwd, 'tasks'), 'npm', 'run', '--silent', 'build').stdout).toBe('')
    const { status, stdout } = test()
    expect(stdout).toContain('# 4 of 4 operations reached success\n')
    expect(stdout).toMatch(/^# pass 5$/m)
    expect(status).toBe(0)
  })

  it('fails its test if a handler throws', () => {
    const text = readFileSync(handlers(), 'utf8')
    const broken = text.replace(
      'get({ id }, context) {',
      "get({ id }, context) {\n throw new Error('broken')",
    )
    expect(broken).not.toBe(text)
    writeFileSync(handlers(), broken)
    const { status, stdout } = test()
    expect(status).toBe(1)
    expect(stdout).toMatch(/^# fail 1$/m)
    expect(stdout).toContain('tasks.get failed')
    writeFileSync(handlers(), text)
  })

  it('follows changes of documents and code', { timeout: 120_000 }, async () => {
    const folder = join(cwd, 'tasks')
    // A separate process group: npm does not forward signals.
    const dev = spawn(process.execPath, ['dev.js'], {
      cwd: folder,
      env: { ...process.env, PORT: '0' },
      detached: true,
    })
    let printed = ''
    dev.stdout.on('data', (piece) => {
      printed += piece
    })
    const answer = async (path: string) => {
      const url = [...printed.matchAll(/http:\/\/\S+/g)].at(-1)?.[0]
      const response = await fetch(`${url}${path}`).catch(() => undefined)
      return response && { status: response.status, body: await response.text() }
    }
    const soon = { timeout: 50_000, interval: 200 }
    try {
      await expect.poll(() => answer('/tasks'), soon).toMatchObject({ status: 200 })
      const code = join(folder, 'src/handlers/tasks.ts')
      writeFileSync(code, readFileSync(code, 'utf8').replace('Read the document', 'Read the code'))
      await expect
        .poll(() => answer('/tasks/1'), soon)
        .toMatchObject({ body: expect.stringContaining('Read the code') })
      const spec = join(folder, 'spec/1.0.0/openapi.yaml')
      const added =
        'paths:\n  /ping:\n    get: { operationId: pings.get, responses: { 204: { description: Done } } }\n'
      writeFileSync(spec, readFileSync(spec, 'utf8').replace('paths:\n', added))
      await expect.poll(() => answer('/ping'), soon).toMatchObject({ status: 501 })
    } finally {
      process.kill(-Number(dev.pid), 'SIGTERM')
    }
  })
})

/** Links the packages that npm would install again, except the generated one. */
function linkPackages(name: string): void {
  const modules = join(cwd, name, 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const entry of readdirSync(join(project, 'node_modules')))
    symlinkSync(join(project, 'node_modules', entry), join(modules, entry))
  symlinkSync('../generated', join(modules, `${name}-api`))
}

/** The address that a server prints at its start. */
function urlOf(server: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    server.stdout?.on('data', (piece) => {
      text += piece
      const url = /http:\/\/\S+/.exec(text)?.[0]
      if (url !== undefined) done(url)
    })
    server.once('exit', () => fail(new Error(`The server stopped: ${text}`)))
  })
}
