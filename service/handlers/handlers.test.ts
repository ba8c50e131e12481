import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'duet-runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jwtHandlers } from '../adapters/jwt.js'
import type { SampleUser } from '../data/credentials.js'
import { insertSample } from '../data/sample.js'
import { createApiKeyVault } from '../identity/api-key.js'
import { createIdentity, type Identity } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'
import { packageRoot } from '../package-root.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { createStorage } from '../storage/storage.js'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import type { Handlers } from './api.js'
import { createHandlers } from './handlers.js'

const secret = 'a secret of at least 32 characters'

onEachDriver('handlers on', (start) => {
  let source: DatabaseSource
  let identity: Identity
  let handlers: Handlers
  let users: readonly SampleUser[]

  beforeAll(async () => {
    source = await start()
    const { database } = await source.empty()
    await migrate(database, await readMigrations())
    users = await insertSample(database, createApiKeyVault(secret))
    identity = createIdentity({ database, secret })
    handlers = createHandlers(createStorage(database))
  })
  afterAll(() => source?.stop())

  const contextOf = (principal: Principal): Context<Principal> =>
    ({
      principal,
      operation: 'test',
      identify: () => {},
      protocol: 'local',
      requestId: 'test',
      signal: new AbortController().signal,
      timezone: 'UTC',
    }) satisfies Partial<Context<Principal>> as Partial<Context<Principal>> as Context<Principal>
  const as = async (login: string) =>
    contextOf(
      await identity.authenticate({ apiKey: users.find((user) => user.login === login)?.apiKey ?? '' }),
    )

  it('list gateways with the fields of the document', async () => {
    const found = await handlers['lnp.gateways'].search(
      { limit: 1, offset: 2, order: ['-id'] },
      await as('reseller-a'),
    )
    expect(found).toEqual([
      { id: 28, name: 'ported-out-14', title: 'Ported out, route 14', credentials_id: 10, editable: true },
    ])
  })

  it('get a gateway, or answer not_found', async () => {
    const { get } = handlers['lnp.gateways']
    expect(await get({ id: 28 }, await as('reseller-b'))).toMatchObject({ id: 28, name: 'ported-out-14' })
    await expect(get({ id: 31 }, await as('admin'))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('list currencies, whatever the Reseller', async () => {
    const { search } = handlers['accounting.currencies']
    expect(await search({}, await as('reseller-a'))).toEqual([
      { code: 'EUR', base: true },
      { code: 'GBP', base: false },
      { code: 'JPY', base: false },
      { code: 'USD', base: false },
    ])
  })

  it('list the clients of the caller’s Reseller alone', async () => {
    const ids = async (login: string) => {
      const found = await handlers.clients.search({ limit: 20, offset: 0, order: [] }, await as(login))
      return found.map(({ id }) => id)
    }
    expect(await ids('reseller-a')).toEqual([1, 2, 3])
    expect(await ids('reseller-b')).toEqual([4, 5, 6])
    expect(await ids('admin')).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('answer exchange rates with the moment they are valid from', async () => {
    const rate = await handlers['accounting.currencies'].get_rate(
      { from: 'EUR', to: 'USD', at: '2026-03-01T12:00:00Z' },
      await as('reseller-b'),
    )
    expect(rate).toEqual({ from: 'EUR', to: 'USD', rate: 1.0825, effective_from: '2026-01-01T00:00:00Z' })
  })

  it('answer not_found for a currency that there is not', async () => {
    const { get_rate } = handlers['accounting.currencies']
    await expect(get_rate({ from: 'EUR', to: 'XXX' }, await as('admin'))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('get and update a client', async () => {
    const context = await as('reseller-b')
    expect(await handlers.clients.update({ id: 5, credit: 0.1 }, context)).toEqual({
      id: 5,
      name: 'Evergreen Lines',
      credit: 0.1,
      currency: 'JPY',
      version: '2',
    })
    expect(await handlers.clients.get({ id: 5 }, context)).toMatchObject({ credit: 0.1 })
    expect(await handlers.clients.update({ id: 5 }, context)).toMatchObject({ credit: 0.1 })
  })

  it('answer the same for another reseller’s client as for one that does not exist', async () => {
    const context = await as('reseller-a')
    const failures = (id: number) =>
      Promise.all(
        [handlers.clients.get({ id }, context), handlers.clients.update({ id, credit: 1 }, context)].map(
          (call) => Promise.resolve(call).catch((error: unknown) => error),
        ),
      )
    const others = await failures(4)
    const absent = await failures(9_999)
    expect(others).toMatchObject([{ code: 'not_found' }, { code: 'not_found' }])
    expect(JSON.stringify(others).replaceAll('4', '9999')).toBe(JSON.stringify(absent))
  })

  it('exchange a login for a token and that for the next', async () => {
    const reseller = users.find((user) => user.login === 'reseller-a')
    const jwt = jwtHandlers({
      ...identity,
      login: (login, password) => identity.login(login, password),
    })
    const anyone = {
      ...contextOf(await identity.authenticate({ apiKey: reseller?.apiKey ?? '' })),
      principal: undefined,
    }
    const issued = await jwt.authenticate({ login: 'reseller-a', password: reseller?.password ?? '' }, anyone)
    expect(issued).toEqual({
      token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    })
    const next = await jwt.refresh({}, contextOf(await identity.authenticate({ jwt: issued.token })))
    expect(next.token).not.toBe(issued.token)
    const failed = Promise.resolve(jwt.authenticate({ login: 'reseller-a', password: 'wrong' }, anyone))
    await expect(failed).rejects.toMatchObject({ code: 'invalid_credentials' })
  })
})

it('handlers can reach the database only through a scope', async () => {
  const directory = join(packageRoot, 'handlers')
  const files = (await readdir(directory)).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  for (const file of files) {
    const imports = [
      ...(await readFile(join(directory, file), 'utf8')).matchAll(/from '(\.\.\/storage\/[^']+)'/g),
    ]
    expect(imports.map((match) => match[1]).filter((path) => path !== '../storage/storage.js')).toEqual([])
  }
})
