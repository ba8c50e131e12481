import { apiKey, bearer, createClient, jsonrpc, rest } from '@billing/api/1.1.0/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SampleUser } from './data/credentials.js'
import { insertSample } from './data/sample.js'
import { createApiKeyVault } from './identity/api-key.js'
import { type Service, startService } from './server/service.js'
import { createLog } from './settings/log.js'
import { readSettings } from './settings/settings.js'
import { migrate, readMigrations } from './storage/database/migrate.js'
import { type DatabaseSource, startPostgres } from './testing/databases.js'
import { countingWire, type Wire } from './testing/wire.js'

const secret = 's'.repeat(32)

describe.each([
  ['without memory', '0', { caller: 1, rate: 1 }],
  ['with memory', '60', { caller: 0, rate: 0 }],
] as const)('round trips to PostgreSQL %s', (_name, cacheSeconds, expected) => {
  let source: DatabaseSource
  let wire: Wire
  let service: Service
  let user: SampleUser
  let ofReseller: SampleUser

  beforeAll(async () => {
    source = await startPostgres()
    const { database, url = '' } = await source.empty()
    await migrate(database, await readMigrations())
    const [first, second] = await insertSample(database, createApiKeyVault(secret))
    if (first === undefined || second?.login !== 'reseller-a') throw new Error('The sample has other users')
    user = first
    ofReseller = second
    wire = await countingWire(url)
    const settings = readSettings(
      {
        PORT: '0',
        DATABASE_URL: wire.url,
        BILLING_SECRET: secret,
        CACHE_SECONDS: cacheSeconds,
        // Nodes share counts every second, but no call waits for it.
        RATE_LIMIT: '0',
        PROCESSOR_SHARE: '0',
        FAILURE_LIMIT: '0',
      },
      ['1.1.0'],
    )
    service = await startService(settings, createLog('silent', { write: () => {} }))
  })
  afterAll(async () => {
    await service?.stop()
    await wire?.close()
    await source?.stop()
  })

  type Client = ReturnType<typeof clientOf>
  const clientOf = (
    transport: typeof rest | typeof jsonrpc,
    auth?: ReturnType<typeof apiKey> | ReturnType<typeof bearer>,
  ) => createClient({ transport: transport(service.url), ...(auth && { auth }) })
  /** A node may forget at any time, such as for a late notification. The next call then finds its memory empty. */
  async function expectTrips<Start>(
    count: number,
    act: (start: Start) => Promise<unknown>,
    begin: () => Promise<Start> = async () => undefined as Start,
  ): Promise<void> {
    const tripsOf = async () => {
      const start = await begin()
      wire.roundTrips()
      await act(start)
      return wire.roundTrips()
    }
    await expect.poll(tripsOf).toBe(count)
  }
  const calls: readonly [
    operation: string,
    roundTrips: number,
    call: (client: Client) => Promise<unknown>,
  ][] = [
    ['clients.get', 1, (client) => client.clients.get({ id: 1 })],
    ['clients.search', 1, (client) => client.clients.search({ currency: 'EUR', order: ['name'] })],
    ['clients.update', 1, (client) => client.clients.update({ id: 1, credit: 7 })],
    [
      'clients.update with a key and a version',
      1,
      async (client) =>
        client.clients.update({
          id: 2,
          credit: 7,
          expected_version: '*',
          idempotency_key: crypto.randomUUID(),
        }),
    ],
    [
      'accounting.currencies.get_rate',
      expected.rate,
      (client) => client.accounting.currencies.get_rate({ from: 'EUR', to: 'USD' }),
    ],
    ['accounting.currencies.list', 1, (client) => client.accounting.currencies.list({})],
    ['lnp.gateways.search', 1, (client) => client.lnp.gateways.search({ editable: true, order: ['-title'] })],
    ['lnp.gateways.get', 1, (client) => client.lnp.gateways.get({ id: 1 })],
  ]

  it.each(calls)(
    'of %s are %i, plus one or none to find the caller',
    async (_operation, roundTrips, call) => {
      for (const transport of [rest, jsonrpc]) {
        const client = clientOf(transport, apiKey(user.apiKey))
        await call(client)
        await expectTrips(expected.caller + roundTrips, () => call(client))
      }
    },
  )

  it.each(calls.filter(([operation]) => operation.startsWith('clients.')))(
    "of %s are %i within a Reseller's scope too",
    async (_operation, roundTrips, call) => {
      const client = clientOf(rest, apiKey(ofReseller.apiKey))
      await call(client)
      await expectTrips(expected.caller + roundTrips, () => call(client))
    },
  )

  it('of signing in are two: the user, and after the password check the session', async () => {
    const { login, password } = user
    const signIn = () => clientOf(rest).iam.auth.jwt.authenticate({ login, password })
    await expectTrips(2, signIn)
    const signedIn = async () => {
      const client = clientOf(rest, bearer((await signIn()).token))
      await client.clients.get({ id: 1 })
      return client
    }
    await expectTrips(expected.caller + 1, (client) => client.clients.get({ id: 1 }), signedIn)
    // A token is refreshed once.
    await expectTrips(expected.caller + 1, (client) => client.iam.auth.jwt.refresh({}), signedIn)
  })
})
