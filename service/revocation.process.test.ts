// @module-tag long

import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { apiKey, bearer, createClient, jsonrpc, rest } from '@billing/api/1.1.0/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApiKeyVault, makeApiKey } from './identity/api-key.js'
import { apiKeyStore } from './storage/tables/identity/api-keys.js'
import { type Nodes, startNodes } from './testing/nodes.js'
import { serviceFile } from './testing/process.js'

/** The outcome at each node over each protocol: the code of a problem, or `served`. */
type Answers = () => Promise<readonly string[]>

const served = Array.from({ length: 4 }, () => 'served')
const refusedKey = Array.from({ length: 4 }, () => 'invalid_api_key')

function answersOf(nodes: Nodes, auth: ReturnType<typeof apiKey> | ReturnType<typeof bearer>): Answers {
  const clients = nodes.urls.flatMap((url) =>
    [rest(url), jsonrpc(url)].map((transport) => createClient({ transport, auth })),
  )
  return () =>
    Promise.all(
      clients.map((client) =>
        client.clients.search({ limit: 1 }).then(
          () => 'served',
          ({ code }) => code,
        ),
      ),
    )
}

const setActive = (nodes: Nodes, login: string, active: boolean) =>
  nodes.database.query('update users set active = $2 where login = $1', [login, active])

describe.runIf(existsSync(serviceFile))('a revoked key', () => {
  let nodes: Nodes
  let answers: Answers

  describe('on nodes that may cache it for a minute', () => {
    beforeAll(async () => {
      nodes = await startNodes(2, { CACHE_SECONDS: '60' })
      answers = answersOf(nodes, apiKey(nodes.user('reseller-a').apiKey))
    })
    afterEach(() => setActive(nodes, 'reseller-a', true))
    afterAll(() => nodes?.stop())

    it('stops on all of them long before its cache time, and works again at once', async () => {
      expect(await answers()).toEqual(served)
      await setActive(nodes, 'reseller-a', false)
      await expect.poll(answers).toEqual(refusedKey)
      await setActive(nodes, 'reseller-a', true)
      expect(await answers()).toEqual(served)
    })

    it('stops on all of them when it is replaced or revoked, next to another key of its user', async () => {
      const vault = createApiKeyVault(nodes.environment.BILLING_SECRET ?? '')
      const store = apiKeyStore(nodes.database)
      const actor = { userId: 1, resellerId: null, operation: 'o', protocol: 'admin', requestId: 'r' }
      const session = crypto.randomUUID()
      const [one, two] = [makeApiKey(), makeApiKey()]
      const sealed = (key: string) => ({ digest: vault.digest(key), ciphertext: vault.seal(key) })
      const created = await store.create(actor, 2, { name: 'CI', days: 1, ...sealed(one) }, session)
      if (typeof created === 'string') throw new Error(created)
      const old = answersOf(nodes, apiKey(one))
      const next = answersOf(nodes, apiKey(two))
      expect(await old()).toEqual(served)
      const replaced = await store.replace(actor, 2, created.id, sealed(two), 2, session)
      if (typeof replaced === 'string') throw new Error(replaced)
      expect([await old(), await next()]).toEqual([served, served])
      // It expires in nodes that remember it too.
      await expect.poll(old, { timeout: 10_000 }).toEqual(refusedKey)
      expect(await next()).toEqual(served)
      await store.revoke(actor, 2, replaced.id)
      await expect.poll(next).toEqual(refusedKey)
      expect(await answers()).toEqual(served)
    })

    it('stops as soon as they listen again after a missed notification', async () => {
      expect(await answers()).toEqual(served)
      const cut = await nodes.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'billing listener'`,
      )
      expect(cut).toHaveLength(2)
      await setActive(nodes, 'reseller-a', false)
      await expect.poll(answers).toEqual(refusedKey)
    })

    it('does not affect other keys and sessions', async () => {
      const { login, password } = nodes.user('reseller-b')
      const client = createClient({ transport: rest(nodes.urls[0] ?? '') })
      const { token } = await client.iam.auth.jwt.authenticate({ login, password })
      const withToken = answersOf(nodes, bearer(token))
      expect(await withToken()).toEqual(served)
      await setActive(nodes, 'reseller-a', false)
      await expect.poll(answers).toEqual(refusedKey)
      expect(await withToken()).toEqual(served)
      await nodes.database.query('update sessions set revoked_at = now()')
      await expect.poll(withToken).toEqual(Array.from({ length: 4 }, () => 'invalid_token'))
    })
  })

  describe('on nodes without notifications', { tags: 'long' }, () => {
    beforeAll(async () => {
      nodes = await startNodes(2, { CACHE_SECONDS: '1' })
      answers = answersOf(nodes, apiKey(nodes.user('reseller-a').apiKey))
      await nodes.database.query('alter table users disable trigger user')
    })
    afterAll(() => nodes?.stop())

    it('stops after the cache time', async () => {
      expect(await answers()).toEqual(served)
      await setActive(nodes, 'reseller-a', false)
      await delay(1_050)
      expect(await answers()).toEqual(refusedKey)
    })
  })
})
