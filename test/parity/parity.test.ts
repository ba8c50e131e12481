import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v1_0 from '@billing/api/1.0.0'
import * as v1_1 from '@billing/api/1.1.0'
import * as v2_0 from '@billing/api/2.0.0-rc.1'
import { type Contract, type Credentials, createVersions } from 'duet-runtime'
import express from 'express'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serveFetch } from '../../runtime/fixtures/serve.js'
import { createAdapters } from '../../service/adapters/adapters.js'
import { insertSample } from '../../service/data/sample.js'
import { createHandlers } from '../../service/handlers/handlers.js'
import { createApiKeyVault } from '../../service/identity/api-key.js'
import { createIdentity } from '../../service/identity/identity.js'
import type { Principal } from '../../service/identity/principal.js'
import { migrate, readMigrations } from '../../service/storage/database/migrate.js'
import { createStorage } from '../../service/storage/storage.js'
import { startPostgres } from '../../service/testing/databases.js'
import { runs } from '../runs.js'
import { invalidParams, timezones, validParams } from './arbitrary.js'
import { type AnyApi, Callers } from './callers.js'
import { restCall } from './rest-call.js'

const secret = 'parity parity parity parity parity'

// Tries all operations of the first version, and those of later versions that differ from the previous one.
const versions = {
  '1.0.0': { contract: v1_0.contract, before: undefined, numRuns: runs(3, 60) },
  '1.1.0': { contract: v1_1.contract, before: v1_0.contract, numRuns: runs(2, 30) },
  '2.0.0-rc.1': { contract: v2_0.contract, before: v1_1.contract, numRuns: runs(2, 30) },
} as const
type Version = keyof typeof versions

let database: Awaited<ReturnType<typeof startPostgres>>
let callers: Callers
const servers: Server[] = []

beforeAll(async () => {
  database = await startPostgres()
  const { database: opened } = await database.empty()
  await migrate(opened, await readMigrations())
  const users = await insertSample(opened, createApiKeyVault(secret))
  const user = users.find(({ login }) => login === 'reseller-a')
  if (user === undefined) throw new Error('The sample has no reseller-a')
  const identity = createIdentity({ database: opened, secret })
  const principal = await identity.authenticate({ apiKey: user.apiKey })
  const served = createVersions({
    versions: [v1_0, v1_1, v2_0],
    handlers: createHandlers(createStorage(opened)),
    adapters: createAdapters({
      ...identity,
      login: (login, password) => identity.login(login, password),
    }),
    authenticate: (credentials: Credentials<'apiKey' | 'jwt'>) => identity.authenticate(credentials),
    timezone: (caller: Principal) => caller.timezone,
  })
  const app = express()
  app.use(served.express())
  const underExpress = await listen(createServer(app))
  const underNode = await listen(createServer(served.node()))
  const byFetch = await serveFetch(served)
  const apis = new Map<string, AnyApi>()
  const urls = new Map<string, string>()
  const fetched = new Map<string, Pick<Served, 'ask'>>()
  for (const version of served.names) {
    apis.set(version, served.api(version))
    urls.set(`${version} express`, `${underExpress}/${version}`)
    urls.set(`${version} node`, `${underNode}/${version}`)
    fetched.set(`${version} fetch`, { ask: (path, options) => byFetch.ask(`/${version}${path}`, options) })
  }
  callers = new Callers({ identity, user, principal, apis, urls, fetched })
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
          const local = await callers.locally(version, operation, params, timezone)
          expect(await callers.overRpc(`${version} node`, operation, params, timezone)).toEqual(local)
          expect(await callers.overRpc(`${version} fetch`, operation, params, timezone)).toEqual(local)
          if (operation.tool !== undefined)
            expect(await callers.overMcp(`${version} node`, operation, params, timezone)).toEqual(local)
          const http = restCall(operation, params, timezone, via)
          if (http === undefined) return
          expect(await callers.overRest(`${version} node`, operation, http, params)).toEqual(local)
          expect(await callers.overRest(`${version} express`, operation, http, params)).toEqual(local)
          expect(await callers.overRest(`${version} fetch`, operation, http, params)).toEqual(local)
        }),
        // Hashing a password is slow on purpose.
        { numRuns: name.startsWith('iam.') ? runs(2, 10) : numRuns },
      )
    },
  )

  test('without credentials both protocols refuse with the same problem, unless the operation is public', async () => {
    const overRpc = (
      await callers.post(`${version} node`, {}, { jsonrpc: '2.0', id: 1, method: name, params: {} })
    ).body as {
      error?: { data: { code: string } }
    }
    const overRest = await callers.exchange(
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

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
