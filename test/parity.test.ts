import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v1_0 from '@billing/api/1.0.0'
import * as v1_1 from '@billing/api/1.1.0'
import * as v2_0 from '@billing/api/2.0.0-rc.1'
import {
  type Api,
  type Contract,
  type Credentials,
  createVersions,
  type Operation,
  ProblemError,
} from 'duet-runtime'
import express from 'express'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serveFetch } from '../runtime/fixtures/serve.js'
import { createAdapters } from '../service/adapters/adapters.js'
import { insertSample } from '../service/data/sample.js'
import { createHandlers } from '../service/handlers/handlers.js'
import { createApiKeyVault } from '../service/identity/api-key.js'
import { createIdentity, type Identity } from '../service/identity/identity.js'
import type { Principal } from '../service/identity/principal.js'
import { migrate, readMigrations } from '../service/storage/database/migrate.js'
import { createStorage } from '../service/storage/storage.js'
import { startPostgres } from '../service/testing/databases.js'
import { invalidParams, timezones, validParams } from './arbitrary.js'
import { runs } from './runs.js'

type Params = Readonly<Record<string, unknown>>

/** The outcome of a call in a form common to all ways to call: the result, or the problem without its request id. */
type Outcome = { readonly result: unknown } | { readonly problem: unknown }

const secret = 'parity parity parity parity parity'

// Tries all operations of the first version, and those of later versions that differ from the previous one.
const versions = {
  '1.0.0': { contract: v1_0.contract, before: undefined, numRuns: runs(3, 60) },
  '1.1.0': { contract: v1_1.contract, before: v1_0.contract, numRuns: runs(2, 30) },
  '2.0.0-rc.1': { contract: v2_0.contract, before: v1_1.contract, numRuns: runs(2, 30) },
} as const
type Version = keyof typeof versions
type AnyApi = Pick<Api<Record<string, never>, Principal>, 'call'>

let database: Awaited<ReturnType<typeof startPostgres>>
const apis = new Map<string, AnyApi>()
let principal: Principal
let apiKey: string
let identity: Identity
let password: string
const servers: Server[] = []
const urls = new Map<string, string>()
const fetched = new Map<string, Pick<Served, 'ask'>>()

beforeAll(async () => {
  database = await startPostgres()
  const { database: opened } = await database.empty()
  await migrate(opened, await readMigrations())
  const users = await insertSample(opened, createApiKeyVault(secret))
  const user = users.find(({ login }) => login === 'reseller-a')
  if (user === undefined) throw new Error('The sample has no reseller-a')
  apiKey = user.apiKey
  identity = createIdentity({ database: opened, secret })
  principal = await identity.authenticate({ apiKey })
  password = user.password
  const served = createVersions({
    versions: [v1_0, v1_1, v2_0],
    handlers: createHandlers(createStorage(opened)),
    adapters: createAdapters(identity),
    authenticate: (credentials: Credentials<'apiKey' | 'jwt'>) => identity.authenticate(credentials),
    timezone: (caller: Principal) => caller.timezone,
  })
  const app = express()
  app.use(served.express())
  const underExpress = await listen(createServer(app))
  const underNode = await listen(createServer(served.node()))
  const byFetch = await serveFetch(served)
  for (const version of served.names) {
    apis.set(version, served.api(version))
    urls.set(`${version} express`, `${underExpress}/${version}`)
    urls.set(`${version} node`, `${underNode}/${version}`)
    fetched.set(`${version} fetch`, { ask: (path, options) => byFetch.ask(`/${version}${path}`, options) })
  }
})

afterAll(async () => {
  for (const server of servers) server.close()
  await database.stop()
})

const trials = Object.entries(versions).flatMap(([version, { contract, numRuns }]) =>
  Object.entries(validParams[version as Version]).map(([name, valid]) => {
    const operation = (contract as Contract).operations[name]
    if (operation === undefined) throw new Error(`${version} has no operation ${name}`)
    return [`${version} ${name}`, { version: version as Version, name, operation, valid, numRuns }] as const
  }),
)

describe.each(trials)('%s', (_title, { version, name, operation, valid, numRuns }) => {
  test.each([
    ['valid', valid],
    ['invalid', invalidParams(valid)],
  ])(
    '%s params come to the same over REST under Express, node:http and fetch, JSON-RPC, MCP and in process',
    async (_, arbitrary) => {
      const channel = fc.constantFrom('query' as const, 'body' as const)
      await fc.assert(
        fc.asyncProperty(arbitrary, timezones, channel, async (params, timezone, via) => {
          const local = await callLocally(apis.get(version), operation, params, timezone)
          expect(await callOverRpc(`${version} node`, operation, params, timezone)).toEqual(local)
          expect(await callOverRpc(`${version} fetch`, operation, params, timezone)).toEqual(local)
          if (operation.tool !== undefined)
            expect(await callOverMcp(`${version} node`, operation, params, timezone)).toEqual(local)
          const http = toHttp(operation, params, timezone, via)
          if (http === undefined) return
          expect(await callOverRest(`${version} node`, operation, http, params)).toEqual(local)
          expect(await callOverRest(`${version} express`, operation, http, params)).toEqual(local)
          expect(await callOverRest(`${version} fetch`, operation, http, params)).toEqual(local)
        }),
        // Hashing a password is slow on purpose.
        { numRuns: name.startsWith('iam.') ? runs(2, 10) : numRuns },
      )
    },
  )

  test('without credentials both protocols refuse with the same problem, unless the operation is public', async () => {
    const overRpc = (await post(`${version} node`, {}, { jsonrpc: '2.0', id: 1, method: name, params: {} }))
      .body as {
      error?: { data: { code: string } }
    }
    const overRest = await exchange(
      `${version} node`,
      operation.rest.method,
      operation.rest.path.replace('{id}', '1'),
      {},
    )
    const codes = [overRpc.error?.data.code, (overRest.body as { code?: string }).code]
    expect(codes).toEqual(
      operation.security.length === 0
        ? ['validation_failed', 'validation_failed']
        : ['unauthenticated', 'unauthenticated'],
    )
  })
})

test.each(Object.entries(versions))(
  'every operation of %s is tried, or is that of the version before',
  (version, { contract, before }) => {
    const tried = validParams[version as Version]
    const untried = Object.keys(contract.operations).filter((name) => !Object.hasOwn(tried, name))
    expect(untried.map((name) => faceOf(contract, name))).toEqual(
      untried.map((name) => before && faceOf(before, name)),
    )
  },
)

/** The contract of an operation, without its security and deprecation. */
function faceOf(contract: Contract, name: string): unknown {
  const { rest, rpc } = contract.operations[name] ?? {}
  const { methods } = contract.openrpc() as { methods: { name: string; params: unknown; result: unknown }[] }
  const { params, result } = methods.find((method) => method.name === name) ?? {}
  return { rest, rpc, params, result }
}

async function callLocally(
  api: AnyApi | undefined,
  operation: Operation,
  params: Params,
  timezone: string | undefined,
): Promise<Outcome> {
  try {
    const result = await api?.call(operation.name as never, params as never, {
      principal: needsToken(operation) ? await identity.authenticate({ jwt: await freshToken() }) : principal,
      ...(timezone !== undefined && { timezone }),
    })
    return { result: comparable(result, params) }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { problem: withoutRequestId(error.problem) }
  }
}

async function callOverRpc(
  server: string,
  operation: Operation,
  params: Params,
  timezone: string | undefined,
): Promise<Outcome> {
  const { body } = await post(server, await credentials(operation), {
    jsonrpc: '2.0',
    id: 1,
    method: operation.rpc,
    params: Object.fromEntries([
      ...Object.entries(params),
      ...(timezone === undefined ? [] : [['__tz', timezone]]),
    ]),
  })
  const envelope = body as { result?: unknown; error?: { data: unknown } }
  return envelope.error
    ? { problem: withoutRequestId(envelope.error.data) }
    : { result: comparable(envelope.result, params) }
}

async function callOverMcp(
  server: string,
  operation: Operation,
  params: Params,
  timezone: string | undefined,
): Promise<Outcome> {
  const { name = '', structured } = operation.tool ?? {}
  const zone = timezone === undefined ? [] : [['__tz', timezone]]
  const answer = await exchange(
    server,
    'POST',
    '/mcp',
    {
      ...(await credentials(operation)),
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: Object.fromEntries([...Object.entries(params), ...zone]),
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  )
  const { result } = answer.body as { result: { isError?: boolean; structuredContent: unknown } }
  if (result.isError === true) return { problem: withoutRequestId(result.structuredContent) }
  const content = result.structuredContent as { result: unknown }
  return { result: comparable(structured === 'member' ? content.result : content, params) }
}

interface HttpCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Params | undefined
}

/** The REST request for the params. Undefined if HTTP can't carry them: a path segment is non-empty text. */
function toHttp(
  operation: Operation,
  params: Params,
  timezone: string | undefined,
  via: 'query' | 'body',
): HttpCall | undefined {
  const all = new Map(Object.entries(params))
  if (timezone !== undefined) all.set('__tz', timezone)
  let path = operation.rest.path
  for (const binding of operation.rest.parameters.filter((parameter) => parameter.in === 'path')) {
    const value = all.get(binding.param)
    all.delete(binding.param)
    if (
      (typeof value !== 'number' && typeof value !== 'string') ||
      value === '' ||
      value === '.' ||
      value === '..'
    )
      return undefined
    if (typeof value === 'string' && !Number.isNaN(Number(value))) return undefined
    path = path.replace(`{${binding.name}}`, encodeURIComponent(String(value)))
  }
  const headers: Record<string, string> = {}
  for (const binding of operation.rest.parameters.filter((parameter) => parameter.in === 'header')) {
    const value = all.get(binding.param)
    all.delete(binding.param)
    if (value === undefined) continue
    // HTTP trims blanks around a header value.
    if (typeof value !== 'string' || !/^[!-~]*$/.test(value)) return undefined
    if (binding.entityTag === true && value.includes('"')) return undefined
    headers[binding.name] = binding.entityTag === true && value !== '*' ? `"${value}"` : value
  }
  const query = new URLSearchParams()
  const isQuery =
    via === 'query' &&
    operation.rest.method === 'GET' &&
    [...all].every(([name, value]) => keepsItsType(operation, name, value))
  if (!isQuery) return { path, headers, body: Object.fromEntries(all) }
  for (const [name, value] of all) for (const item of [value].flat()) query.append(name, String(item))
  return { path: `${path}${query.size > 0 ? '?' : ''}${query}`, headers, body: undefined }
}

/** Whether the text of a value is read back as the same value, since text has no type. */
function keepsItsType(operation: Operation, name: string, value: unknown): boolean {
  const types = operation.rest.parameters.find((parameter) => parameter.param === name)?.coerce.types ?? [
    'string',
  ]
  if (Array.isArray(value))
    return types.includes('array') && value.length > 0 && value.every((item) => typeof item === 'string')
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  if (typeof value === 'boolean') return types.includes('boolean')
  return typeof value === 'string' && types.includes('string')
}

async function callOverRest(
  server: string,
  operation: Operation,
  { path, headers, body }: HttpCall,
  params: Params,
): Promise<Outcome> {
  const sent = { ...(await credentials(operation)), ...headers }
  const answer = await exchange(server, operation.rest.method, path, sent, body)
  return answer.status < 300
    ? { result: comparable(answer.body, params) }
    : { problem: withoutRequestId(answer.body) }
}

async function credentials(operation: Operation): Promise<Record<string, string>> {
  return needsToken(operation) ? { Authorization: `Bearer ${await freshToken()}` } : { 'X-Api-Key': apiKey }
}

function needsToken({ security }: Operation): boolean {
  return security.length > 0 && !security.some((alternative) => 'apiKey' in alternative)
}

/** A new token that no call has refreshed. */
async function freshToken(): Promise<string> {
  return (await identity.login('reseller-a', password)).token
}

/**
 * Removes what differs between calls by design: tokens (of their expiry, only the offset must agree), and versions of a
 * client that every call changes. A call with an idempotency key does not change it again.
 */
function comparable(result: unknown, params: Params): unknown {
  if (result === null || typeof result !== 'object') return result
  if ('version' in result && !('idempotency_key' in params))
    return { ...result, version: typeof result.version }
  if (!('token' in result)) return result
  const { token, expires_at } = result as { token: string; expires_at: string }
  return { token: typeof token, expires_at: expires_at.slice(-6) }
}

function withoutRequestId(problem: unknown): unknown {
  const { requestId: _, ...rest } = problem as { requestId?: string }
  return rest
}

function post(server: string, headers: Readonly<Record<string, string>>, body: unknown) {
  return exchange(server, 'POST', '/', headers, body)
}

/** One exchange by `api.fetch` or through node:http, which unlike fetch can send a body with GET. */
async function exchange(
  server: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const direct = await fetched.get(server)?.ask(path, { method, headers, body })
  if (direct !== undefined) return { status: direct.status, body: direct.json }
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const entity =
      body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    const sent = request(
      `${urls.get(server)}${path}`,
      { method, headers: { ...headers, ...entity } },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        const answer = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, body: answer === '' ? undefined : JSON.parse(answer) })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
