import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { serveNode } from '../../../runtime/fixtures/serve.js'
import { built, samples, shop } from '../../../test/fixtures/samples.js'
import { toolsApi } from '../../../test/mcp/service.js'
import { loadDocument } from '../../load/load.js'
import type { Model } from '../../model/model.js'
import type { Sample } from './samples.js'

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

const secret = `a-$key-it's-"quoted"`
const run = promisify(execFile)
const user = { API_USER: 'Zoë', API_PASSWORD: 'пароль' }
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
    // RFC 7617 in UTF-8: `printf 'Zoë:пароль' | base64`.
    const authorization = 'Basic Wm/DqzrQv9Cw0YDQvtC70Yw='
    expect(user.rest?.headers.authorization).toBe(authorization)
    expect(user.jsonrpc?.headers.authorization).toBe(authorization)
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

it('calls below the base URL, which has the path of the first server, with every language', {
  tags: 'long',
}, async () => {
  const below: Model = { ...shop, basePath: '/v1' }
  const { of } = await samples(below, 'notes.delete', { id: '1' })
  for (const id of Object.keys(runners).filter((one) => one !== 'client')) {
    const { rest, jsonrpc } = await arrived(of(id))
    expect([id, rest?.request, jsonrpc?.request]).toEqual([id, 'DELETE /notes/1', 'POST /'])
  }
  const { rest, jsonrpc } = of('client')
  expect(rest).toContain('rest(BASE_URL)')
  expect(jsonrpc).toContain('jsonrpc(BASE_URL)')
})

it.each(['each', 'search'])(
  'calls a tool in every language, if agents see %s',
  { tags: 'long' },
  async (mode) => {
    const more = mode === 'each' ? '' : '\nx-mcp: { maxBytes: 1 }\n'
    const source = readFileSync(resolve('test/mcp/tools.yaml'), 'utf8') + more
    const folder = mkdtempSync(join(tmpdir(), 'duet-samples-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'tools.yaml'), source)
    const model = built(loadDocument('tools.yaml', { cwd: folder }))
    const { of } = await samples(model, 'clients.get', { id: 1 })
    const served = await serveNode(await toolsApi(more))
    onTestFinished(() => served.close())
    const env = { ...process.env, BASE_URL: `http://127.0.0.1:${served.port}`, API_KEY: 'good' }
    for (const id of Object.keys(runners)) {
      const sample = of(id).mcp ?? ''
      const [program, ...args] =
        id === 'curl'
          ? ['sh', '-c', sample.replaceAll('curl ', 'curl -sS ')]
          : id === 'python'
            ? ['python3', '-c', sample]
            : [process.execPath, '--input-type=module', '-e', sample]
      // Not in the folder: the official client is a module of this project.
      const { stdout } = await run(program ?? '', args, { env })
      expect([id, stdout]).toEqual([id, expect.stringContaining('Ann')])
    }
    expect(of('client').mcp).toContain('await client.callTool({')
  },
)
