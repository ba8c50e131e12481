import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage } from '../../testing/sample-storage.js'
import type { Database, Queryable } from '../database/database.js'
import { currencyStore } from './currencies.js'
import { sessionStore } from './identity/sessions.js'
import { userStore } from './identity/users.js'
import { keepRecent, type Recent } from './recent.js'

onEachDriver('the caches of', (start) => {
  let source: DatabaseSource
  let database: Database
  let recent: Recent
  let queries: number
  let counted: Queryable

  beforeAll(async () => {
    ;({ source, database } = await openSampleStorage(start))
    recent = await keepRecent(database, 60_000)
    counted = {
      query: (statement, values) => {
        queries += 1
        return database.query(statement, values)
      },
    }
  })
  beforeEach(() => {
    queries = 0
  })
  afterAll(async () => {
    await recent?.close()
    await source?.stop()
  })

  const digestOf = async (login: string) => {
    const [row] = await database.query<{ digest: Uint8Array }>(
      'select api_key_digest as digest from users where login = $1',
      [login],
    )
    return row?.digest ?? new Uint8Array()
  }

  it('serve the next lookup of a user until the user is inactive', async () => {
    const users = userStore(counted, recent.apiKeys)
    const digest = await digestOf('reseller-a')
    const login = async () => (await users.withApiKey(digest))?.user.login
    expect([await login(), await login(), await login()]).toEqual(['reseller-a', 'reseller-a', 'reseller-a'])
    expect(queries).toBe(1)
    await database.query("update users set active = false where login = 'reseller-a'")
    await expect.poll(login).toBeUndefined()
    await database.query("update users set active = true where login = 'reseller-a'")
    expect(await login()).toBe('reseller-a')
  })

  it('drop a replaced key, and the user of a removed one', async () => {
    const users = userStore(counted, recent.apiKeys)
    const digest = await digestOf('reseller-b')
    const login = async (of: Uint8Array) => (await users.withApiKey(of))?.user.login
    expect(await login(digest)).toBe('reseller-b')
    const other = new Uint8Array(32).fill(7)
    await database.query("update users set api_key_digest = $1 where login = 'reseller-b'", [other])
    await expect.poll(() => login(digest)).toBeUndefined()
    expect(await login(other)).toBe('reseller-b')
    await database.query("delete from users where login = 'reseller-b'")
    await expect.poll(() => login(other)).toBeUndefined()
  })

  it('serve the next lookup of a session until it is revoked, or its user changes', async () => {
    const sessions = sessionStore(counted, recent.sessions)
    const id = '00000000-0000-4000-8000-000000000001'
    const tokenId = '00000000-0000-4000-8000-000000000002'
    const expiresAt = new Date(Date.now() + 900_000).toISOString()
    await sessions.open(1, { id, tokenId, expiresAt })
    queries = 0
    const role = async () => (await sessions.userOf(id))?.role
    expect([await role(), await role()]).toEqual(['admin', 'admin'])
    expect(queries).toBe(1)
    await database.query("update users set role = 'auditor' where id = 1")
    await expect.poll(role).toBe('auditor')
    // This token is not the current one.
    expect(await sessions.rotate(id, { id, tokenId: id, expiresAt })).toBe(false)
    expect(await role()).toBeUndefined()
  })

  it('serve the next lookup of a rate until rates change', async () => {
    const currencies = currencyStore(counted, recent.rates)
    const rate = async () => (await currencies.rate('EUR', 'USD', '2026-03-01T00:00:00Z'))?.rate
    expect([await rate(), await rate()]).toEqual([1.0825, 1.0825])
    expect(queries).toBe(1)
    await database.query(
      "insert into currency_rates (currency, effective_from, rate) values ('USD', '2026-02-01', 1.5)",
    )
    await expect.poll(rate).toBe(1.5)
    await database.query("delete from currency_rates where effective_from = '2026-02-01'")
    await expect.poll(rate).toBe(1.0825)
  })

  it('serve the present rate only until the next one', { tags: 'long' }, async () => {
    const currencies = currencyStore(counted, recent.rates)
    const rate = async () => (await currencies.rate('EUR', 'GBP'))?.rate
    await database.query(
      "insert into currency_rates (currency, effective_from, rate) values ('GBP', now() + interval '2 s', 2)",
    )
    const before = await rate()
    expect(before).not.toBe(2)
    await expect.poll(rate).toBe(2)
  })
})
