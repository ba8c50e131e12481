import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SampleUser } from '../data/credentials.js'
import { insertSample } from '../data/sample.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { type DatabaseSource, startPostgres } from '../testing/databases.js'
import { createApiKeyVault, makeApiKey } from './api-key.js'
import { createIdentity, type Identity } from './identity.js'
import { checkSecret } from './secret-check.js'

const secret = 'a secret of at least 32 characters'
const vault = createApiKeyVault(secret)
const coded = (code: string) => expect.objectContaining({ code })

describe('identity', () => {
  let source: DatabaseSource
  let database: Database
  let identity: Identity
  let users: ReadonlyMap<string, SampleUser>
  let clock = Date.now()

  beforeAll(async () => {
    source = await startPostgres()
    database = (await source.empty()).database
    await migrate(database, await readMigrations())
    users = new Map((await insertSample(database, vault)).map((user) => [user.login, user]))
    identity = createIdentity({ database, secret, now: () => clock })
  })
  afterAll(() => source?.stop())

  const sample = (login: string) => {
    const user = users.get(login)
    if (user === undefined) throw new Error(`No sample user ${login}`)
    return user
  }
  const signIn = (login = 'reseller-a') => identity.login(login, sample(login).password)
  const withToken = async ({ token }: { token: string }) => identity.authenticate({ jwt: token })

  describe('API keys', () => {
    it('yield the user, the reseller and the zone', async () => {
      const [reseller] = await database.query<{ id: string }>(
        "select id from resellers where name = 'Reseller A'",
      )
      expect(await identity.authenticate({ apiKey: sample('reseller-a').apiKey })).toEqual({
        userId: 2,
        login: 'reseller-a',
        role: 'user',
        resellerId: Number(reseller?.id),
        timezone: 'America/New_York',
      })
      expect(await identity.authenticate({ apiKey: sample('admin').apiKey })).toMatchObject({
        resellerId: null,
        timezone: undefined,
      })
    })

    it.each(['', 'bk_', makeApiKey(), '\0', 'ü', 'x'.repeat(100_000)])(
      'that do not exist are invalid: %#',
      async (apiKey) => {
        await expect(identity.authenticate({ apiKey })).rejects.toEqual(coded('invalid_api_key'))
      },
    )

    it('can be shown, but are not stored as plain text', async () => {
      const [row] = await database.query<{ api_key_digest: Uint8Array; api_key_ciphertext: Uint8Array }>(
        "select api_key_digest, api_key_ciphertext from users where login = 'admin'",
      )
      const { apiKey } = sample('admin')
      expect(row && vault.open(row.api_key_ciphertext, row.api_key_digest)).toBe(apiKey)
      expect(JSON.stringify(await database.query('select * from users'))).not.toContain(apiKey.slice(3, 12))
    })
  })

  it('asks for missing credentials', async () => {
    expect(() => identity.authenticate({})).toThrow(coded('unauthenticated'))
  })

  describe('logins', () => {
    it('return a token for 15 minutes', async () => {
      const issued = await signIn()
      expect(Date.parse(issued.expiresAt) - clock).toBeGreaterThan(899_000 - 1000)
      expect(Date.parse(issued.expiresAt) - clock).toBeLessThanOrEqual(900_000)
      expect(await withToken(issued)).toMatchObject({ login: 'reseller-a', timezone: 'America/New_York' })
    })

    it.each([
      ['reseller-a', 'wrong'],
      ['nobody', 'wrong'],
      ['RESELLER-A', 'wrong'],
      ['\0', 'wrong'],
      ['', ''],
    ])('of %j with %j are refused alike', async (login, password) => {
      await expect(identity.login(login, password)).rejects.toMatchObject({
        code: 'invalid_credentials',
        detail: 'The login or the password is wrong.',
      })
    })

    it('remove expired sessions', async () => {
      await signIn('reseller-b')
      await database.query("update sessions set expires_at = now() - interval '1 hour'")
      await signIn('reseller-b')
      const rows = await database.query(
        "select 1 from sessions join users on users.id = user_id where login = 'reseller-b'",
      )
      expect(rows).toHaveLength(1)
    })
  })

  describe('tokens', () => {
    it('expire', async () => {
      const issued = await signIn()
      clock += 906_000
      await expect(withToken(issued)).rejects.toEqual(coded('invalid_token'))
    })

    it('are refreshed once, and the old one works until it expires', async () => {
      const first = await signIn()
      const second = await identity.refresh(await withToken(first))
      expect(second.token).not.toBe(first.token)
      expect(await withToken(first)).toMatchObject({ login: 'reseller-a' })
      expect(await withToken(second)).toMatchObject({ login: 'reseller-a' })
    })

    it('end their session when a spent one is refreshed', async () => {
      const first = await signIn()
      const other = await signIn()
      const second = await identity.refresh(await withToken(first))
      await expect(identity.refresh(await withToken(first))).rejects.toEqual(coded('invalid_token'))
      await expect(withToken(first)).rejects.toEqual(coded('invalid_token'))
      await expect(withToken(second)).rejects.toEqual(coded('invalid_token'))
      expect(await withToken(other)).toMatchObject({ login: 'reseller-a' })
    })

    it('are refreshed by one of two concurrent calls', async () => {
      const principal = await withToken(await signIn())
      const both = await Promise.allSettled([identity.refresh(principal), identity.refresh(principal)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })

    it('are not refreshed with an API key or without a principal', async () => {
      const principal = await identity.authenticate({ apiKey: sample('admin').apiKey })
      await expect(identity.refresh(principal)).rejects.toEqual(coded('unauthenticated'))
      await expect(identity.refresh(undefined)).rejects.toEqual(coded('unauthenticated'))
    })
  })

  it('refuses an inactive user at once, by key, by token and by login', async () => {
    const issued = await signIn('reseller-b')
    const principal = await withToken(issued)
    await database.query("update users set active = false where login = 'reseller-b'")
    await expect(withToken(issued)).rejects.toEqual(coded('invalid_token'))
    await expect(identity.authenticate({ apiKey: sample('reseller-b').apiKey })).rejects.toEqual(
      coded('invalid_api_key'),
    )
    await expect(signIn('reseller-b')).rejects.toEqual(coded('invalid_credentials'))
    await database.query("update users set active = true where login = 'reseller-b'")
    expect(principal.login).toBe('reseller-b')
  })

  it('refuses a node with another secret', async () => {
    await checkSecret(database, secret)
    await checkSecret(database, secret)
    await expect(checkSecret(database, 'another secret of 32 characters!!')).rejects.toMatchObject({
      exitCode: 2,
      lines: ['BILLING_SECRET is not the secret of this database'],
    })
  })
})
