import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { emit } from './emit.js'

const root = mkdtempSync(join(tmpdir(), 'duet-manifest-'))

const document = `openapi: 3.1.0
info: { title: Manifest, version: 1.0.0 }
x-errors:
  gone_away: { title: Gone, status: 410, rpc: -32010 }
paths:
  /deep/things:
    get:
      x-rpc-method: deep.things.list
      security: [{ key: [] }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'parts/thing.yaml#/Thing' } } } } }
webhooks:
  changed: { post: { responses: { '204': { description: ok } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`

beforeAll(() => {
  mkdirSync(join(root, 'spec/parts'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  writeFileSync(join(root, 'spec/openapi.yaml'), document)
  writeFileSync(join(root, 'spec/parts/thing.yaml'), 'Thing: { type: object }\n')
})
afterAll(() => rmSync(root, { recursive: true }))

it('names files from the folder of the document, wherever duet runs', async () => {
  const manifest = JSON.parse(await manifestFrom(root, 'spec/openapi.yaml'))
  expect(manifest.document.path).toBe('openapi.yaml')
  expect(manifest.inputs.map(({ path }: { path: string }) => path)).toEqual([
    'openapi.yaml',
    'parts/thing.yaml',
  ])
  expect(manifest.symbols.Thing).toMatchObject({ file: 'parts/thing.yaml', line: 1 })
  expect(JSON.parse(await manifestFrom(join(root, 'spec'), 'openapi.yaml'))).toEqual(manifest)
})

it('leads errors, security schemes, namespaces and webhooks back to their lines', async () => {
  const { symbols, errors, securitySchemes } = JSON.parse(await manifestFrom(root, 'spec/openapi.yaml'))
  const file = 'openapi.yaml'
  expect(errors).toEqual({ gone_away: { pointer: '#/x-errors/gone_away', file, line: 4, column: 3 } })
  const pointer = '#/components/securitySchemes/key'
  expect(securitySchemes).toEqual({ key: { pointer, file, line: 15, column: 5 } })
  for (const name of ['DeepClient', 'DeepThingsClient', 'DeepThingsHandlers']) {
    expect(symbols[name], name).toMatchObject({ pointer: '#/paths/~1deep~1things/get', line: 7 })
  }
  expect(symbols.ChangedWebhook).toMatchObject({ line: 12 })
})

async function manifestFrom(cwd: string, path: string): Promise<string> {
  const loaded = loadDocument(path, { cwd })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error(JSON.stringify(loaded.diagnostics))
  return (await emit(model, loaded.files, path)).get('manifest.json') ?? ''
}
