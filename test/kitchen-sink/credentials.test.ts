import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDocument } from '../../generator/load/load.js'
import { type Mock, startMock } from '../../generator/mock/server.js'
import { buildModel } from '../../generator/model/build/build.js'
import {
  ambient,
  apiKey,
  authorization,
  basic,
  bearer,
  type ClientCalls,
  jsonrpc,
  rest,
} from '../../runtime/client.js'
import { generate } from '../scenarios/scenario.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const auth = {
  'app-id': apiKey('a'),
  query: apiKey('q'),
  session: apiKey('s'),
  user: basic('u', 'p'),
  token: bearer('t'),
  petstore_auth: bearer('o'),
  oidc: bearer('i'),
  signature: authorization('s'),
}
type Client = ClientCalls<Record<string, { params: object; result: unknown; errors: string }>>

let directory: string
let mock: Mock
let createClient: (options: object) => Client
let names: string[]
beforeAll(async () => {
  const { files } = await generate(readFileSync(join(folder, 'credentials.yaml'), 'utf8'))
  mkdirSync(join(folder, '.data'), { recursive: true })
  directory = mkdtempSync(join(folder, '.data', 'credentials-'))
  for (const [path, text] of files) writeFileSync(join(directory, path), text)
  ;({ createClient } = await import(join(directory, 'client.ts')))
  const { contract } = await import(join(directory, 'index.ts'))
  const { document } = loadDocument('credentials.yaml', { cwd: folder })
  const { model } = document === undefined ? { model: undefined } : buildModel(document)
  if (model === undefined) throw new Error('The document has no model')
  names = model.operations.map(({ name }) => name)
  mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
})
afterAll(async () => {
  await mock.close()
  rmSync(directory, { recursive: true })
})

describe.each([
  ['REST', rest],
  ['JSON-RPC', jsonrpc],
] as const)('over %s', (_, transport) => {
  test('a generated client is let in by its mock with the credentials of every kind', async () => {
    const client = createClient({ transport: transport(mock.url), auth })
    for (const name of names) expect([name, await client.call(name, {})]).toEqual([name, 'let in'])
  })

  test('a generated client without the credentials is not let in', async () => {
    const client = createClient({ transport: transport(mock.url), auth: { tls: ambient } })
    for (const name of names)
      await expect(client.call(name, {})).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
