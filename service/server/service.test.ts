import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Contract } from 'duet-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDirectory } from '../../test/service-process.js'
import { createLog } from '../settings/log.js'
import { readSettings } from '../settings/settings.js'
import { freePort, startOwnPostgres } from '../testing/databases.js'
import type { ApiModule } from './api.js'
import { type Service, startService } from './service.js'

/** Replaces a generated version with one route, so that this test covers only the service. */
const contract = {
  title: 'Billing <Service>',
  version: '1.0.0',
  operations: {},
  openapi: () => ({ openapi: '3.1.0' }),
  openrpc: () => ({ openrpc: '1.3.2' }),
} as Contract
const api: ApiModule = {
  versions: [{ contract }],
  createVersions: ({ authenticate, onCall, systemTimezone }) => ({
    flushUsage: async () => {},
    names: ['1.0.0'],
    targetOf: ({ url = '' }) => ({ version: '1.0.0', url }),
    node: (options) => (request, response) => {
      if (request.url !== '/whoami') return options?.fallback?.(request, response)
      const key = request.headers['x-api-key']
      const signal = AbortSignal.timeout(1000)
      const call = { operation: 'whoami', requestId: 'r-1', scopes: {}, signal, request }
      Promise.resolve()
        .then(() => authenticate?.(typeof key === 'string' ? { apiKey: key } : {}, call))
        .then((principal) => {
          onCall?.({ ...call, protocol: 'rest', principal, durationMs: 2 })
          response.end(JSON.stringify({ login: principal?.login, systemTimezone }))
        })
        .catch(({ code }) => {
          onCall?.({ ...call, protocol: 'rest', principal: undefined, durationMs: 2, code })
          response.writeHead(401).end(code)
        })
    },
  }),
}

describe('the service', () => {
  let directory: string
  let service: Service
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const settingsOf = (environment: Record<string, string>) =>
    readSettings({ PORT: '0', DATA_DIR: directory, SYSTEM_TIMEZONE: 'Asia/Tokyo', ...environment }, ['1.0.0'])
  const credentials = async () => JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))

  beforeAll(async () => {
    directory = await newDirectory()
    service = await startService(settingsOf({}), log, api)
  })
  afterAll(async () => {
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('writes the credentials of its sample users into a file for the owner only', async () => {
    expect(service.credentialsPath).toBe(join(directory, 'credentials.json'))
    expect((await stat(join(directory, 'credentials.json'))).mode & 0o777).toBe(0o600)
    const password = expect.stringMatching(/^[\w-]{24}$/)
    const apiKey = expect.stringMatching(/^bk_[\w-]{43}$/)
    expect(await credentials()).toEqual({
      baseUrl: service.url,
      users: [
        { login: 'admin', password, apiKey, reseller: null, timezone: null },
        { login: 'reseller-a', password, apiKey, reseller: 'Reseller A', timezone: 'America/New_York' },
        { login: 'reseller-b', password, apiKey, reseller: 'Reseller B', timezone: null },
      ],
    })
  })

  it('knows its users by their keys', async () => {
    const { users } = await credentials()
    const response = await fetch(`${service.url}/whoami`, { headers: { 'x-api-key': users[1].apiKey } })
    expect(await response.json()).toEqual({ login: 'reseller-a', systemTimezone: 'Asia/Tokyo' })
    expect(await (await fetch(`${service.url}/whoami`, { headers: { 'x-api-key': 'bk_no' } })).text()).toBe(
      'invalid_api_key',
    )
  })

  it.each([
    ['evil.example', 400],
    [`localhost.evil.example:80`, 400],
    ['localhost:8080', 200],
  ])('answers for its own hosts alone: %s', async (host, status) => {
    const asked = get(`${service.url}/healthz`, { headers: { host } })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(status)
  })

  it('logs and counts each call', async () => {
    const { users } = await credentials()
    lines.length = 0
    await fetch(`${service.url}/whoami`, { headers: { 'x-api-key': users[0].apiKey } })
    await fetch(`${service.url}/whoami`)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { operation: 'whoami', user: 'admin', code: 'ok' },
      { operation: 'whoami', code: 'unauthenticated' },
    ])
    expect(lines.join('')).not.toContain(users[0].apiKey)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^billing_calls_total\{operation="whoami",protocol="rest"\} [1-9]/m)
    expect(metrics).toMatch(
      /^billing_call_errors_total\{operation="whoami",protocol="rest",code="unauthenticated"\} [1-9]/m,
    )
    expect(metrics).toMatch(
      /^billing_call_duration_seconds_bucket\{le="0.0025",operation="whoami",protocol="rest"\} [1-9]/m,
    )
    expect(metrics).toContain('process_cpu_seconds_total')
  })

  it.each([
    ['/healthz', 'application/json', '{"status":"ok"}'],
    ['/readyz', 'application/json', '{"status":"ready"}'],
    ['/openapi.json', 'application/json', '{"openapi":"3.1.0"}'],
    ['/openrpc.json?x=1', 'application/json', '{"openrpc":"1.3.2"}'],
  ])('serves %s', async (path, type, body) => {
    const response = await fetch(`${service.url}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(body)
    const head = await fetch(`${service.url}${path}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(body.length),
      '',
    ])
    const posted = await fetch(`${service.url}${path}`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('has the reference as start page, with links to the documents', async () => {
    const page = await (await fetch(service.url)).text()
    expect(page).toContain('<base href="reference/">')
    expect(page).toContain('href="../openapi.json"')
    expect((await fetch(`${service.url}/reference/clients.html`)).status).toBe(200)
  })

  it.each(['/nothing', '/healthz/x', '/__proto__', '/constructor', '/../secret'])(
    'answers 404 for %s',
    async (path) => {
      const response = await fetch(service.url + path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  it('logs and counts unknown paths, with the request id of the answer', async () => {
    lines.length = 0
    const response = await fetch(`${service.url}/nothing`, { headers: { 'x-request-id': 'mine-7' } })
    expect(response.headers.get('x-request-id')).toBe('mine-7')
    expect(await response.json()).toMatchObject({ code: 'unknown_operation', requestId: 'mine-7' })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { requestId: 'mine-7', code: 'unknown_operation', msg: 'call' },
    ])
    for (const unfit of ['not fit for a log', `x:bk_${'a'.repeat(24)}`, 'eyJtrace.1.2']) {
      const other = await fetch(`${service.url}/nothing`, { headers: { 'x-request-id': unfit } })
      expect(other.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    }
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
      /^billing_call_errors_total\{operation="unknown",protocol="rest",code="unknown_operation"\} [1-9]/m,
    )
  })

  it.each([
    ['/', 'GET, HEAD, POST'],
    ['/openapi.json', 'GET, HEAD'],
    ['/healthz', 'GET, HEAD'],
  ])('names the allowed methods of %s', async (path, allow) => {
    const options = await fetch(service.url + path, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, allow, ''])
    const put = await fetch(service.url + path, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, allow])
  })

  it('owns its port and its data directory exclusively', async () => {
    const { port } = new URL(service.url)
    await expect(startService(settingsOf({ PORT: port }), log, api)).rejects.toThrow(
      `PORT ${port} on HOST 127.0.0.1 is in use`,
    )
    await expect(startService(settingsOf({}), log, api)).rejects.toThrow(
      `DATA_DIR ${directory} is in use by process`,
    )
  })

  it('updates the address at the next start, and keeps users and data', async () => {
    const before = await credentials()
    await service.stop()
    service = await startService(settingsOf({ PORT: String(await freePort()) }), log, api)
    expect(await credentials()).toEqual({ ...before, baseUrl: service.url })
    const response = await fetch(`${service.url}/whoami`, {
      headers: { 'x-api-key': before.users[2].apiKey },
    })
    expect(await response.json()).toMatchObject({ login: 'reseller-b' })
  })

  it('keeps credentials that their owner removed or changed', { tags: 'long' }, async () => {
    await service.stop()
    const path = join(directory, 'credentials.json')
    await rm(path)
    service = await startService(settingsOf({}), log, api)
    expect(service.credentialsPath).toBeUndefined()
    expect(await readdir(directory)).not.toContain('credentials.json')
    await service.stop()
    await writeFile(path, 'mine')
    service = await startService(settingsOf({}), log, api)
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  it('is not ready while its database does not answer or is read-only', { tags: 'long' }, async () => {
    const source = await startOwnPostgres()
    const { database, another, url: DATABASE_URL = '' } = await source.empty()
    const node = await startService(settingsOf({ DATABASE_URL, BILLING_SECRET: 's'.repeat(32) }), log, api)
    try {
      const ready = async () => (await fetch(`${node.url}/readyz`)).status
      expect(await ready()).toBe(200)
      await database.query(
        "do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$",
      )
      const other = await another?.()
      await other?.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await expect.poll(ready).toBe(503)
      await expect(
        startService(settingsOf({ DATABASE_URL, BILLING_SECRET: 's'.repeat(32) }), log, api),
      ).rejects.toThrow(/^DATABASE_URL: the database is unavailable: .*read-only transaction$/)
      await source.stop()
      expect(await ready()).toBe(503)
      expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
    } finally {
      await node.stop()
    }
  })

  it('refuses another secret than the database’s, and unlocks the directory', {
    tags: 'long',
  }, async () => {
    await service.stop()
    await expect(startService(settingsOf({ BILLING_SECRET: 'x'.repeat(32) }), log, api)).rejects.toThrow(
      'BILLING_SECRET is not the secret of this database',
    )
    service = await startService(settingsOf({}), log, api)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })
})
