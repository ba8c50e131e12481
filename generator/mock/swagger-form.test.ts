import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiOf } from 'duet-runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emit } from '../emit/emit.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { handlersOf } from '../samples/handlers.js'
import { contractOf } from './contract.js'
import { startMock } from './server.js'

const document = `
swagger: '2.0'
info: { title: Photos, version: 1.0.0 }
basePath: /v2
paths:
  /photos/{id}:
    post:
      x-rpc-method: photos.add
      consumes: [multipart/form-data]
      produces: [application/json]
      parameters:
        - { name: id, in: path, required: true, type: integer }
        - { name: photo, in: formData, required: true, type: file }
        - { name: note, in: formData, type: string, maxLength: 9 }
        - { name: tags, in: formData, type: array, items: { type: string } }
        - { name: sizes, in: formData, type: array, collectionFormat: pipes, items: { type: integer } }
        - { name: marks, in: formData, type: array, collectionFormat: multi, items: { type: integer } }
      responses: { 200: { description: Sent, schema: { $ref: '#/definitions/Photo' } } }
definitions:
  Photo: { type: object, required: [id], properties: { id: { type: integer }, told: { type: string } } }
`

let mocked: string
let echoing: string
const closing: (() => void)[] = []

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-swagger-form-'))
  writeFileSync(join(cwd, 'swagger.yaml'), document)
  const loaded = loadDocument('swagger.yaml', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error('The document has no model')
  const contract = await contractOf(await emit(model, loaded.files, 'swagger.yaml'))
  const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
  mocked = mock.url
  closing.push(() => void mock.close())
  const api = createApiOf<Record<string, never>, unknown, object, string>(contract, {
    handlers: handlersOf(model.operations, async (_, params) => {
      const { photo, id, ...told } = params as { readonly photo: Blob; readonly id: number }
      return { id, told: JSON.stringify({ ...told, photo: await photo.text() }) }
    }),
    authenticate: () => ({}),
  })
  const server = createServer(api.node())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  echoing = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`
  closing.push(() => void server.close())
})

afterAll(() => {
  for (const close of closing) close()
})

const told = { note: 'At sea', tags: ['a', 'b'], sizes: [1, 2], marks: [3, 4], photo: 'pixels' }
const files = { photo: new Blob(['pixels']), note: 'At sea', tags: 'a,b', sizes: '1|2', marks: ['3', '4'] }

async function rest(url: string, fields: Record<string, string | string[] | Blob>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  const response = await fetch(`${url}/photos/7`, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}

async function rpc(url: string, params: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'photos.add', params: { id: 7, ...params } }),
  })
  return await response.json()
}

it('reads a form of Swagger 2.0 with a file and lists of every kind as JSON-RPC reads the same', async () => {
  const overRest = await rest(echoing, files)
  const overRpc = await rpc(echoing, { ...told, photo: btoa('pixels') })
  expect([overRest.status, overRest.body.id, JSON.parse(overRest.body.told)]).toEqual([200, 7, told])
  expect([overRpc.result?.id, JSON.parse(overRpc.result?.told)]).toEqual([7, told])
})

it('has a mock that answers such a form, and refuses a field that does not fit and a file that is missing', async () => {
  expect((await rest(mocked, files)).status).toBe(200)
  expect(await rpc(mocked, { ...told, photo: btoa('pixels') })).toMatchObject({
    result: { id: expect.any(Number) },
  })
  const faults = [
    {
      fields: { ...files, note: 'Much too long' },
      params: { ...told, photo: btoa('a'), note: 'Much too long' },
      path: '/note',
    },
    { fields: { note: 'a' }, params: { note: 'a' }, path: '/photo' },
  ]
  for (const { fields, params, path } of faults) {
    const refused = await rest(mocked, fields)
    const { error } = await rpc(mocked, params)
    expect([refused.status, error.code]).toEqual([400, -32602])
    expect(refused.body.errors).toEqual(error.data.errors)
    expect(refused.body.errors[0].path).toBe(path)
  }
})
