// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// A team's project: the packed packages unpacked into its node_modules, their dependencies linked.
let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'duet-team-'))
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@billing'), { recursive: true })
  unpack('runtime', join(modules, 'duet-runtime'))
  unpack('generated', join(modules, '@billing/api'))
  const ours = new Set(['duet-api', 'duet-runtime', 'duet-templates', '@billing'])
  for (const name of readdirSync('node_modules')) {
    if (!ours.has(name) && !name.startsWith('.'))
      symlinkSync(resolve('node_modules', name), join(modules, name))
  }
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

function unpack(workspace: string, target: string): void {
  const archive = execFileSync(
    'npm',
    ['pack', '--silent', '--workspace', workspace, '--pack-destination', project],
    { encoding: 'utf8' },
  )
  mkdirSync(target)
  execFileSync('tar', [
    '-xzf',
    join(project, archive.trim().split('\n').at(-1) ?? ''),
    '-C',
    target,
    '--strip-components=1',
  ])
}

function run(file: string, text: string): string {
  writeFileSync(join(project, file), text)
  return execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' }).trim()
}

const serveAndCall = `
const handlers = { clients: { get: ({ id }) => ({ id, name: 'Ada', credit: 1.5, currency: 'EUR' }) } }
const api = createApi({ handlers, authenticate: ({ apiKey }) => apiKey })
const server = createServer(api.node()).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port
  for (const transport of [rest(url), jsonrpc(url)]) {
    const client = createClient({ transport, auth: apiKey('any') })
    console.log(JSON.stringify(await client.clients.get({ id: 7 })))
  }
  server.close()
})
`
const answer = '{"id":7,"name":"Ada","credit":1.5,"currency":"EUR"}'

describe('the packed packages', () => {
  test('serve and call both protocols from an ESM project', () => {
    const output = run(
      'team.mjs',
      `import { createServer } from 'node:http'
      import { createApi } from '@billing/api/1.0.0'
      import { apiKey, createClient, jsonrpc, rest } from '@billing/api/1.0.0/client'
      ${serveAndCall}`,
    )
    expect(output.split('\n')).toEqual([answer, answer])
  })

  test('serve and call both protocols from a CommonJS project', () => {
    const output = run(
      'team.cjs',
      `const { createServer } = require('node:http')
      const { createApi } = require('@billing/api/1.0.0')
      const { apiKey, createClient, jsonrpc, rest } = require('@billing/api/1.0.0/client')
      ${serveAndCall}`,
    )
    expect(output.split('\n')).toEqual([answer, answer])
  })

  test.each(['typescript', 'typescript7'])('type a strict project under %s', (compiler) => {
    cpSync('test/fixtures/team.ts', join(project, 'team.ts'))
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      noEmit: true,
      types: ['node'],
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['team.ts'] }),
    )
    const tsc = resolve('node_modules', compiler, 'bin/tsc')
    expect(() =>
      execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8', stdio: 'pipe' }),
    ).not.toThrow()
  })

  test.each([
    ['nodenext', 'nodenext', 'use.cts'],
    ['node20', 'node16', 'use.cts'],
    ['node16', 'node16', 'use.mts'],
    ['esnext', 'bundler', 'use.ts'],
  ])('compile with module %s and resolution %s as %s', (module, moduleResolution, file) => {
    writeFileSync(
      join(project, file),
      `import { contract } from '@billing/api/v1'
      import { createClient, rest } from '@billing/api/v1/client'
      import { schemas } from '@billing/api/v1/schemas'
      export const title: string = contract.title
      export const client = createClient({ transport: rest('/') })
      const checked = schemas['clients.get'].params['~standard'].validate({ id: 7 })
      export const id: number | undefined = checked.issues === undefined ? checked.value.id : undefined`,
    )
    // Without this the compiler would use every @types of this repository, which a project does not have.
    const types = ['node']
    const compilerOptions = { strict: true, module, moduleResolution, target: 'es2023', noEmit: true, types }
    const config = join(project, 'tsconfig.use.json')
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test.each(['typescript', 'typescript7'])(
    'type a browser project without types of Node under %s',
    (compiler) => {
      writeFileSync(
        join(project, 'page.ts'),
        `import { createClient, rest } from '@billing/api/1.0.0/client'
      export const rows: Promise<number> = createClient({ transport: rest('/') }).lnp.gateways.search().then((found) => found.length)`,
      )
      const options = {
        strict: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2023',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
        noEmit: true,
        skipLibCheck: false,
      }
      const config = join(project, 'tsconfig.page.json')
      writeFileSync(config, JSON.stringify({ compilerOptions: options, files: ['page.ts'] }))
      const tsc = resolve('node_modules', compiler, 'bin/tsc')
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    },
  )
})
