// @module-tag long

import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertSample } from '../data/sample.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { apiKeyStore } from '../storage/tables/identity/api-keys.js'
import { factorStore } from '../storage/tables/identity/factors.js'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import { createApiKeyVault, makeApiKey } from './api-key.js'
import { createIdentity } from './identity.js'
import { rotateSecret } from './rotation.js'
import { sealerFor } from './sealer.js'
import { checkSecret } from './secret-check.js'
import { totpContext } from './totp.js'

const before = 'the secret that was there before!'
const after = 'the secret that comes after it is!'

onEachDriver('rotation of BILLING_SECRET on', (start) => {
  let source: DatabaseSource
  let database: Database
  beforeAll(async () => {
    source = await start()
    database = (await source.empty()).database
    await migrate(database, await readMigrations())
  })
  afterAll(() => source?.stop())

  it('keeps API keys, tokens and sessions valid from the first node to the last', async () => {
    await checkSecret(database, before)
    const users = await insertSample(database, createApiKeyVault(before))
    const [{ apiKey, login, password } = { apiKey: '', login: '', password: '' }] = users
    const old = createIdentity({ database, secret: before })
    const both = createIdentity({ database, secret: after, oldSecrets: [before] })
    const next = createIdentity({ database, secret: after })
    const { token } = await old.login(login, password)
    const second = makeApiKey()
    const vault = createApiKeyVault(before)
    const actor = { userId: 1, resellerId: null, operation: 'o', protocol: 'admin', requestId: 'r' }
    const key = {
      name: 'Second',
      digest: vault.digest(second),
      ciphertext: vault.seal(second),
      days: undefined,
    }
    await apiKeyStore(database).create(actor, 1, key, crypto.randomUUID())
    const sealedBefore = sealerFor('second factor encryption', before).seal('a secret', totpContext(1))
    await factorStore(database).begin(1, sealedBefore)

    // Nodes with both secrets, next to those with only the old one.
    await checkSecret(database, after, [before])
    for (const identity of [old, both]) {
      expect(await identity.authenticate({ apiKey })).toMatchObject({ login })
      expect(await identity.authenticate({ jwt: token })).toMatchObject({ login })
    }
    await expect(next.authenticate({ apiKey })).rejects.toMatchObject({ code: 'invalid_api_key' })
    await expect(checkSecret(database, after)).rejects.toMatchObject({ exitCode: 2 })

    const secrets = {
      vault: createApiKeyVault(after, [before]),
      sealer: sealerFor('second factor encryption', after, [before]),
    }
    expect(await rotateSecret(database, secrets, after)).toBe(users.length + 1)
    expect(await rotateSecret(database, secrets, after)).toBe(0)
    expect(await next.authenticate({ apiKey: second })).toMatchObject({ login })
    const [{ sealed } = { sealed: new Uint8Array() }] = await database.query<{ sealed: Uint8Array }>(
      'select sealed from totp_secrets',
    )
    expect(sealerFor('second factor encryption', after).open(sealed, totpContext(1))).toBe('a secret')
    for (const identity of [both, next])
      expect(await identity.authenticate({ apiKey })).toMatchObject({ login })

    // Nodes with only the new secret: users with old tokens must sign in again.
    await checkSecret(database, after)
    await expect(checkSecret(database, before)).rejects.toMatchObject({ exitCode: 2 })
    expect(await both.authenticate({ jwt: token })).toMatchObject({ login })
    await expect(next.authenticate({ jwt: token })).rejects.toMatchObject({ code: 'invalid_token' })
    const renewed = await next.login(login, password)
    expect(await next.authenticate({ jwt: renewed.token })).toMatchObject({ login })
    await expect(old.authenticate({ apiKey })).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('can still show keys that were stored before', async () => {
    const [row] = await database.query<{ api_key_digest: Uint8Array; api_key_ciphertext: Uint8Array }>(
      'select api_key_digest, api_key_ciphertext from users order by id limit 1',
    )
    if (row === undefined) throw new Error('There is no user')
    const { api_key_ciphertext: sealed, api_key_digest: digest } = row
    const third = 'a third secret, of which nobody knows'
    expect(createApiKeyVault(third, [before, after]).open(sealed, digest)).toMatch(/^bk_/)
    expect(() => createApiKeyVault(third, [before]).open(sealed, digest)).toThrow()
  })
})
