import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../document/document.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import type { Model } from '../model/model.js'
import { sentRequest } from '../samples/sent-request.js'
import { type Sample, samplesOf } from './samples.js'
import { emitReference } from './site.js'
import { variablesOf } from './variables.js'

/** Accepts every call, and records the last one. */
let server: Server
let address: string
let last: { request: string; headers: Record<string, unknown>; body: string } | undefined

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    last = { request: `${request.method} ${request.url}`, headers: { ...request.headers }, body }
    response.setHeader('content-type', 'application/json')
    response.end(body.includes('"jsonrpc"') ? '{"jsonrpc":"2.0","id":1,"result":{}}' : '{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const text = { type: 'string' }
const shop = modelOf({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  components: {
    securitySchemes: {
      header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
      bearer: { type: 'http', scheme: 'bearer' },
      user: { type: 'http', scheme: 'basic' },
      app: { type: 'apiKey', in: 'header', name: 'App-Id' },
      sid: { type: 'apiKey', in: 'cookie', name: 'sid' },
      oauth: { type: 'oauth2', flows: {} },
    },
  },
  paths: {
    '/notes/{id}': {
      put: {
        'x-rpc-method': 'notes.put',
        security: [{ header: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'find', in: 'query', schema: text },
          { name: 'X-Mark', in: 'header', schema: text },
        ],
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { title: text, more: {} } } },
          },
        },
        responses: { 200: { description: 'Done' } },
      },
      get: {
        'x-rpc-method': 'notes.get',
        security: [{ query: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 200: { description: 'Done' } },
      },
      delete: {
        'x-rpc-method': 'notes.delete',
        security: [{ bearer: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 204: { description: 'Done' } },
      },
    },
    '/users': {
      get: {
        'x-rpc-method': 'users.get',
        security: [{ user: [] }],
        responses: { 200: { description: 'Done' } },
      },
      put: {
        'x-rpc-method': 'users.put',
        security: [{ header: [], app: [], oauth: ['write'], sid: [] }, { user: [] }],
        responses: { 200: { description: 'Done' } },
      },
    },
    '/notes/{id}/file': {
      post: {
        'x-rpc-method': false,
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        requestBody: {
          content: {
            'multipart/form-data': { schema: { type: 'object', properties: { said: text } } },
          },
        },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
})

function modelOf(document: JsonObject): Model {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-samples-'))
  try {
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
    return built(loadDocument('openapi.json', { cwd }))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

function built({ document }: ReturnType<typeof loadDocument>): Model {
  const model = document && buildModel(document).model
  if (model === undefined) throw new Error('The document has no model')
  return model
}

async function samples(model: Model, name: string, params: JsonObject, module = '@shop/api/client') {
  const operation = model.operations.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`There is no ${name}`)
  const request = await sentRequest(operation, params)
  const all = samplesOf(model, operation, params, request, module)
  const of = (id: string): Sample => {
    const sample = all.find((one) => one.id === id)
    if (sample === undefined) throw new Error(`There is no sample ${id}`)
    return sample
  }
  return { request, of }
}

const secret = `a-$key-it's-"quoted"`
const run = promisify(execFile)
const user = { API_USER: 'Aladdin', API_PASSWORD: 'open sesame' }
const keys = { API_KEY: secret, TOKEN: secret, APP_ID_KEY: 'app', SID_KEY: 'session' }
const variables = () => ({ ...process.env, BASE_URL: address, ...keys, ...user })
const javascript = (sample: string) =>
  run(process.execPath, ['--input-type=module', '-e', sample], { env: variables() })
const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0
const runners: Readonly<Record<string, (sample: string) => Promise<unknown>>> = {
  curl: (sample) => run('sh', ['-c', sample.replaceAll('curl ', 'curl -sS ')], { env: variables() }),
  fetch: javascript,
  client: javascript,
  ...(hasPython && { python: (sample) => run('python3', ['-c', sample], { env: variables() }) }),
}

/** Runs a sample of both protocols. Returns the received requests. */
async function arrived(sample: Sample): Promise<{ rest: typeof last; jsonrpc: typeof last }> {
  const send = async (code: string | undefined) => {
    last = undefined
    await runners[sample.id]?.(code ?? '')
    return last
  }
  return { rest: await send(sample.rest), jsonrpc: await send(sample.jsonrpc) }
}

const hostile = [
  `it's "quoted"`,
  'two\nlines\r\n\tand a tab',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what shells and templates would fill in
  '$HOME ${HOME} $(id) `id` !! %s %%',
  'a\\b\\n\\u0041 \\',
  'Zoë, 日本語, 😀, a\u00a0b, \u2028',
  '{}[]*?~#&;|<>()=/+@',
]

describe('a sample in curl', () => sampleTests('curl'))
describe.each(['fetch', ...(hasPython ? ['python'] : [])])('a sample in %s', { tags: 'long' }, sampleTests)

function sampleTests(id: string): void {
  it('sends texts of all kinds as they are, over both protocols', async () => {
    const all = hostile.join('')
    // Header values are visible ASCII (RFC 9110 section 5.5).
    const mark = all.replace(/[^\x20-\x7e]/g, '')
    const more = [null, { of: hostile, is: true, at: 1.5 }, []]
    const params = { id: all, find: all, 'X-Mark': mark, title: all, more }
    const { request, of } = await samples(shop, 'notes.put', params)
    const { rest, jsonrpc } = await arrived(of(id))
    expect(rest?.request).toBe(`PUT ${request.target}`)
    expect(rest?.headers).toMatchObject({ 'x-api-key': secret, 'x-mark': mark })
    expect(rest?.headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(rest?.body ?? '')).toEqual({ title: all, more })
    expect(jsonrpc?.request).toBe('POST /')
    expect(jsonrpc?.headers).toMatchObject({ 'x-api-key': secret, 'content-type': 'application/json' })
    expect(JSON.parse(jsonrpc?.body ?? '')).toEqual({ jsonrpc: '2.0', id: 1, method: 'notes.put', params })
  })

  it('puts a query key at the end of the address, and names the kind of token', async () => {
    const get = await arrived((await samples(shop, 'notes.get', { id: '1' })).of(id))
    expect(get.rest?.request).toMatch(/^GET \/notes\/1\?api_key=a-/)
    expect(get.jsonrpc?.request).toMatch(/^POST \/\?api_key=a-/)
    const removed = await arrived((await samples(shop, 'notes.delete', { id: '1' })).of(id))
    expect(removed.rest?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(removed.jsonrpc?.headers.authorization).toBe(`Bearer ${secret}`)
  })

  it('sends a user with the password, and every credential of an alternative', async () => {
    const user = await arrived((await samples(shop, 'users.get', {})).of(id))
    // RFC 7617, section 2.
    expect(user.rest?.headers.authorization).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
    expect(user.jsonrpc?.headers.authorization).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
    const all = await arrived((await samples(shop, 'users.put', {})).of(id))
    for (const call of [all.rest, all.jsonrpc]) {
      expect(call?.headers).toMatchObject({
        'x-api-key': secret,
        'app-id': 'app',
        authorization: `Bearer ${secret}`,
        cookie: 'sid=session',
      })
    }
  })
}

it('shows the typed client with credentials by scheme', async () => {
  const get = await samples(shop, 'users.get', {})
  expect(get.of('client').rest).toBe(`import { basic, createClient, rest } from '@shop/api/client'

const { BASE_URL = '', API_USER = '', API_PASSWORD = '' } = process.env
const client = createClient({
  transport: rest(BASE_URL),
  auth: { user: basic(API_USER, API_PASSWORD) },
})
const result = await client.users.get()
console.log(result)`)
  const put = await samples(shop, 'users.put', {})
  const all =
    '{ app: apiKey(APP_ID_KEY), header: apiKey(API_KEY), oauth: bearer(TOKEN), sid: apiKey(SID_KEY) }'
  expect(put.of('client').jsonrpc).toContain(`  auth: ${all},`)
})

it('sends the call of the sample with the typed client', { tags: 'long' }, async () => {
  const billing = built(loadDocument('spec/1.1.0/openapi.yaml', { cwd: resolve('.') }))
  const module = pathToFileURL(resolve('generated/dist/1.1.0/client.js')).href
  const params = { id: 7, name: hostile.join(''), credit: 1.5 }
  const { request, of } = await samples(billing, 'clients.update', params, module)
  const { rest, jsonrpc } = await arrived(of('client'))
  expect(rest).toMatchObject({ request: `PATCH ${request.target}`, headers: { 'x-api-key': secret } })
  expect(JSON.parse(rest?.body ?? '')).toEqual({ name: params.name, credit: 1.5 })
  expect(JSON.parse(jsonrpc?.body ?? '')).toMatchObject({ method: 'clients.update', params })
})

it('calls below the path of the first server, with every language', { tags: 'long' }, async () => {
  const below: Model = { ...shop, basePath: '/v1' }
  const { of } = await samples(below, 'notes.delete', { id: '1' })
  for (const id of Object.keys(runners).filter((one) => one !== 'client')) {
    const { rest, jsonrpc } = await arrived(of(id))
    expect([id, rest?.request, jsonrpc?.request]).toEqual([id, 'DELETE /v1/notes/1', 'POST /v1/'])
  }
  const { rest, jsonrpc } = of('client')
  expect(rest).toContain("rest(BASE_URL + '/v1')")
  expect(jsonrpc).toContain("jsonrpc(BASE_URL + '/v1')")
})

it('reads a response as JSON if it always is', async () => {
  const { of } = await samples(shop, 'notes.delete', { id: '1' })
  expect(of('fetch').rest).toContain('await response.text()')
  expect(of('fetch').jsonrpc).toContain('await response.json()')
  expect(of('python').rest).toContain('response.text')
  const put = await samples(shop, 'notes.put', { id: '1' })
  expect(put.of('fetch').rest).toContain('await response.text()')
  const billing = built(loadDocument('spec/1.1.0/openapi.yaml', { cwd: resolve('.') }))
  expect((await samples(billing, 'clients.get', { id: 7 })).of('fetch').rest).toContain(
    'await response.json()',
  )
})

it('shows the same items of a list over both protocols', async () => {
  const example = [
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: [] },
    { id: 3, tags: [] },
  ]
  const get = {
    'x-rpc-method': 'notes.search',
    responses: { 200: { description: 'All', content: { 'application/json': { schema: {}, example } } } },
  }
  const paths = { '/notes': { get } }
  const model = modelOf({ openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' }, paths })
  const page = (await emitReference(model, { versions: [], module: '' })).get('reference/notes.html') ?? ''
  const answers = page.slice(page.indexOf('data-sample="answer"')).matchAll(/HTTP 200\n\n([^<]*)</g)
  const [rest, jsonrpc] = [...answers].map(([, json = '']) => JSON.parse(json.replaceAll('&quot;', '"')))
  const shown = [
    { id: 1, tags: ['a'] },
    { id: 2, tags: [] },
  ]
  expect([rest, jsonrpc]).toEqual([shown, { jsonrpc: '2.0', id: 1, result: shown }])
})

it('names the variables with credentials', () => {
  const variables = (name: string) =>
    shop.operations.filter((one) => one.name === name).flatMap((one) => variablesOf(shop, one))
  expect(['notes.put', 'notes.get', 'notes.delete', 'notes.file.create'].map(variables)).toEqual([
    ['API_KEY'],
    ['API_KEY'],
    ['TOKEN'],
    [],
  ])
})

it('writes a form of parts for curl alone', async () => {
  const { of } = await samples(shop, 'notes.file.create', { id: '1', said: "it's @home" })
  expect(of('curl').rest).toBe(`curl -X POST "$BASE_URL/notes/1/file" --form-string 'said=it'\\''s @home'`)
  expect(of('fetch').rest).toBeUndefined()
})

it('gives each option of a long command a line, and reads Go as it should be', async () => {
  const { of } = await samples(shop, 'notes.put', { id: 'a b', title: 'say "hi"\n`$x`' })
  expect(of('curl').jsonrpc).toBe(
    String.raw`curl "$BASE_URL/" \
  -H "X-Api-Key: $API_KEY" \
  -H 'Content-Type: application/json' \
  --data-raw '{"jsonrpc":"2.0","id":1,"method":"notes.put","params":{"id":"a b","title":"say \"hi\"\n${'`'}$x${'`'}"}}'`,
  )
  expect(of('curl').rest).toContain(String.raw`
  -H "X-Api-Key: $API_KEY" \
  -H 'Content-Type: application/json' \
`)
  expect(of('go').rest).toBe(
    String.raw`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader("{\"title\":\"say \\\"hi\\\"\\n${'`'}$x${'`'}\"}")
	request, err := http.NewRequest("PUT", os.Getenv("BASE_URL")+"/notes/a%20b", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Api-Key", os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	result, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(result))
}`,
  )
})
