import { execFile, spawnSync } from 'node:child_process'
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
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'
import { emit } from '../../emit/emit.js'
import { loadDocument } from '../../load/load.js'
import { contractOf } from '../../mock/contract.js'
import { type Mock, startMock } from '../../mock/server.js'
import { buildModel } from '../../model/build/build.js'

let cwd: string
let mock: Mock | undefined
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-client-'))
})
afterEach(async () => {
  await mock?.close()
  mock = undefined
  rmSync(cwd, { recursive: true })
})

const spec = resolve('test/kitchen-sink/credentials.yaml')
const document = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /pets: { get: { operationId: pets.list, responses: { 200: { description: ok, content: { application/json: { schema: { const: cat } } } }, 402: { description: pay } } } } }
`

function project(): void {
  mkdirSync(join(cwd, 'spec/1.0.0'), { recursive: true })
  writeFileSync(join(cwd, 'spec/1.0.0/openapi.yaml'), document)
  writeFileSync(
    join(cwd, 'duet.config.json'),
    '{ "package": "shop-api", "only": ["client"], "reference": false }',
  )
}

/** Links the packages that npm would install into a project. */
function install(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'))
  symlinkSync(resolve('runtime'), join(folder, 'node_modules/duet-runtime'))
}

const filesOf = (folder: string) => readdirSync(join(cwd, folder)).sort()

it('writes only what a client needs, without warnings about errors that handlers throw', async () => {
  project()
  expect(await runDuet(cwd, ['generate'])).toMatchObject({ code: 0, err: '' })
  expect(filesOf('generated/1.0.0')).toEqual(['client.ts', 'manifest.json', 'operations.ts', 'types.ts'])
  const { exports, description } = JSON.parse(readFileSync(join(cwd, 'generated/package.json'), 'utf8'))
  expect(description).toBe('Shop: clients for REST and JSON-RPC 2.0.')
  const client = { types: './dist/1.0.0/client.d.ts', default: './dist/1.0.0/client.js' }
  expect(exports).toEqual({
    ...{ '.': client, './client': client, './v1': client, './v1/client': client },
    ...{ './1.0.0': client, './1.0.0/client': client, './package.json': './package.json' },
  })
  expect(readFileSync(join(cwd, 'generated/README.md'), 'utf8')).not.toMatch(/Serve|handler|validator/)
  const manifest = readFileSync(join(cwd, 'generated/1.0.0/manifest.json'), 'utf8')
  expect(manifest).not.toContain('PetsHandlers')
  expect(await runDuet(cwd, ['generate', '--check'])).toMatchObject({ code: 0 })
})

it('removes the files of a service for a client-only project, and writes them again later', async () => {
  project()
  writeFileSync(join(cwd, 'duet.config.json'), '{ "package": "shop-api", "reference": false }')
  await runDuet(cwd, ['generate'])
  expect(filesOf('generated/1.0.0')).toContain('index.ts')
  project()
  await runDuet(cwd, ['generate'])
  expect(filesOf('generated/1.0.0')).not.toContain('index.ts')
  writeFileSync(join(cwd, 'duet.config.json'), '{ "package": "shop-api", "reference": false }')
  await runDuet(cwd, ['generate'])
  expect(filesOf('generated/1.0.0')).toContain('index.ts')
})

it('has no handlers to scaffold', async () => {
  project()
  expect(await runDuet(cwd, ['scaffold', '1.0.0', '--out', 'src'])).toEqual({
    code: 2,
    out: '',
    err: 'only is ["client"] in duet.config.json, so there are no handlers. Remove that setting first.\n',
  })
})

it('a new project with a client alone builds, and calls the mock with credentials', {
  tags: 'long',
}, async () => {
  const made = await runDuet(cwd, ['init', 'shop', '--spec', spec, '--client', '--link'])
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('npm run build && npm run mock\n')
  expect(filesOf('shop')).toEqual([
    ...['.github', '.gitignore', 'README.md', 'duet.config.json', 'generated', 'package.json', 'spec', 'src'],
    'tsconfig.json',
  ])
  expect(filesOf('shop/generated/1.0.0')).not.toContain('index.ts')
  const folder = join(cwd, 'shop')
  expect(await runDuet(folder, ['generate', '--check'])).toMatchObject({ code: 0 })
  install(folder)
  symlinkSync('../generated', join(folder, 'node_modules/credentials-api'))
  symlinkSync('../generated', join(folder, 'node_modules/shop-api'))
  const run = (script: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, script.split(' '), {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
  const built = run(`${resolve('node_modules/typescript/bin/tsc')} -b`)
  expect({ status: built.status, stdout: built.stdout }).toEqual({ status: 0, stdout: '' })
  expect(run('generated/copy-assets.js').status).toBe(0)
  expect(readFileSync(join(folder, 'src/client.ts'), 'utf8')).toContain(
    'petstore_auth: TOKEN === undefined ? undefined : bearer(TOKEN),\n',
  )
  const { document, files } = loadDocument('credentials.yaml', { cwd: resolve('test/kitchen-sink') })
  const { model } = document === undefined ? { model: undefined } : buildModel(document)
  if (model === undefined) throw new Error('The document has no model')
  const contract = await contractOf(await emit(model, files, 'credentials.yaml'))
  mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
  const call = (env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, ['dist/src/main.js'], {
      cwd: folder,
      env: { ...process.env, BASE_URL: mock?.url, ...env },
    })
  expect((await call({ APP_ID_KEY: 'a', API_KEY: 'k' })).stdout).toBe('let in\n')
  await expect(call({ API_KEY: 'k' })).rejects.toMatchObject({
    stderr: expect.stringContaining('unauthenticated'),
  })
})
