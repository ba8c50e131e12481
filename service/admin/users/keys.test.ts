import { describe, expect, it } from 'vitest'
import { apiKeyStore } from '../../storage/tables/identity/api-keys.js'
import { administered, keyIn, keyPathsIn } from '../../testing/administered.js'
import { textOf, Visitor } from '../../testing/administration.js'
import { onEachDriver } from '../../testing/databases.js'

onEachDriver('API keys in the administration area on', (start) => {
  const area = administered(start)
  const works = (apiKey: string) =>
    area.served.identity.authenticate({ apiKey }).then(
      ({ userId }) => userId,
      ({ code }) => code,
    )
  const create = async (path: string, name: string, expiry = 'never') => {
    const page = await area.admin.get(path)
    return await area.admin.send(page, `${path}/keys`, { key_name: name, key_expiry: expiry })
  }
  const created = async (path: string, name: string) => {
    const { location } = await create(path, name)
    return { page: location?.split('?')[0] ?? '', key: keyIn(await area.admin.get(location ?? '')) }
  }

  it('expire in 90 days if they come with a new user, too', async () => {
    const { id } = await area.makeUser()
    expect(
      await area.database.query(
        "select expires_at between now() + interval '89 days' and now() + interval '90 days' as soon from api_keys where user_id = $1",
        [String(id)],
      ),
    ).toEqual([{ soon: true }])
  })

  it('are created, shown once, and work next to each other', async () => {
    const { path, id } = await area.makeUser()
    const { location } = await create(path, 'Invoicing', '90')
    const first = await area.admin.get(location ?? '')
    expect(textOf(first.html)).toContain('The key is created.')
    expect(await works(keyIn(first))).toBe(id)
    // A reload repeats nothing, and does not show the key again.
    const again = await area.admin.get(location ?? '')
    expect([again.status, keyIn(again), again.html.includes('The key is created.')]).toEqual([200, '', false])
    const list = await area.admin.get(path)
    expect(list.html).toContain(`${keyIn(first).slice(0, 8)}…`)
    expect(list.html).not.toContain(keyIn(first))
    expect(keyPathsIn(list)).toHaveLength(2)
    const duplicate = await create(path, 'Invoicing')
    expect([duplicate.status, duplicate.faultOf('key_name')]).toEqual([
      422,
      'The user has a key with this name.',
    ])
    const wrong = await create(path, '', 'soon')
    expect([wrong.faultOf('key_name'), wrong.faultOf('key_expiry')]).toEqual(['Enter a name.', 'Choose one.'])
  })

  it('come with calls that work as they are', async () => {
    const { path } = await area.makeUser()
    const { location } = await create(path, 'Shell "$HOME"')
    const { html } = await area.admin.get(location ?? '')
    const line = textOf(/id="call-rest">([^<]*)</.exec(html)?.[1] ?? '')
    expect(line).toMatch(
      /^curl -H 'X-Api-Key: bk_[\w-]{43}' 'http:\/\/127\.0\.0\.1:\d+\/lnp\/gateways\?limit=1'$/,
    )
  })

  it('are shown to the session that asked, once, with an entry of the audit trail', async () => {
    const { path, id } = await area.makeUser()
    const [page = ''] = keyPathsIn(await area.admin.get(path))
    // The next page after the creation shows the first key. Nobody has opened it.
    const other = await area.visitor('admin')
    expect(keyIn(await other.get(page))).toBe('')
    expect(keyIn(await area.admin.get(page, { 'sec-fetch-site': 'cross-site' }))).toBe('')
    const key = keyIn(await area.admin.get(page))
    expect(key).toMatch(/^bk_/)
    const asked = await area.admin.send(await area.admin.get(page), `${page}/show`, {})
    expect([asked.status, asked.location]).toEqual([303, page])
    expect(keyIn(await area.admin.get(page))).toBe(key)
    expect(keyIn(await area.admin.get(page))).toBe('')
    await area.admin.send(await area.admin.get(page), `${page}/show`, {})
    await area.database.query("update api_keys set shown_until = now() - interval '1 second'")
    expect(keyIn(await area.admin.get(page))).toBe('')
    const entries = await area.entriesOf(id)
    expect(entries.map(({ operation }) => operation)).toEqual([
      'admin.users.create',
      'admin.keys.show',
      'admin.keys.show',
    ])
    expect(entries[1]?.after).toMatchObject({ key: 'First key' })
    expect(JSON.stringify(entries)).not.toMatch(/bk_[\w-]{6}/)
  })

  it('are replaced with an overlap, once', async () => {
    const { path, id } = await area.makeUser()
    const { page, key } = await created(path, 'CI')
    const form = await area.admin.get(path)
    const refused = await area.admin.send(form, `${page}/replace`, { overlap: '9999999999' })
    expect([refused.status, await works(key)]).toEqual([422, id])
    const replaced = await area.admin.send(form, `${page}/replace`, { overlap: '3600' })
    const next = await area.admin.get(replaced.location ?? '')
    expect(textOf(next.html)).toContain('The old one works until it expires.')
    expect([await works(key), await works(keyIn(next))]).toEqual([id, id])
    // The same form again changes nothing.
    const again = await area.admin.send(form, `${page}/replace`, { overlap: '0' })
    expect(again.location).toBe(`${path}?done=key-gone#keys-title`)
    expect(await works(key)).toBe(id)
    await area.database.query('update api_keys set expires_at = now() where is_replaced')
    expect([await works(key), await works(keyIn(next))]).toEqual(['invalid_api_key', id])
    const last = await area.admin.send(
      await area.admin.get(path),
      `${replaced.location?.split('?')[0]}/replace`,
      { overlap: '0' },
    )
    const { location } = last
    expect([await works(keyIn(next)), await works(keyIn(await area.admin.get(location ?? '')))]).toEqual([
      'invalid_api_key',
      id,
    ])
    const [first, second] = (await area.entriesOf(id)).slice(-2)
    const begins = (secret: string) => `${secret.slice(0, 8)}…`
    expect(first).toMatchObject({
      operation: 'admin.keys.rotate',
      before: { key: 'CI', begins: begins(key) },
      after: { key: 'CI', begins: begins(keyIn(next)), old_works_until: expect.stringMatching(/Z$/) },
    })
    expect(second).toMatchObject({ before: { begins: begins(keyIn(next)) } })
    const { html } = await area.admin.get(`/admin/audit?entity=user&id=${id}&action=admin.keys.rotate`)
    expect(html.match(/old key works until:/g)).toHaveLength(2)
  })

  it('end when they are revoked or expire, and no earlier', async () => {
    const { path, id } = await area.makeUser()
    const one = await created(path, 'One')
    const two = await created(path, 'Two')
    const page = await area.admin.get(path)
    expect((await area.admin.send(page, `${one.page}/revoke`, {})).location).toBe(
      `${path}?done=revoked#keys-title`,
    )
    expect([await works(one.key), await works(two.key)]).toEqual(['invalid_api_key', id])
    await area.database.query("update api_keys set expires_at = now() + interval '1 day' where name = 'Two'")
    expect(await works(two.key)).toBe(id)
    expect(textOf((await area.admin.get(path)).html)).toContain('Expires soon')
    await area.database.query("update api_keys set expires_at = now() where name = 'Two'")
    expect(await works(two.key)).toBe('invalid_api_key')
  })

  it('count in the audit trail, whichever is left', async () => {
    const { path, id } = await area.makeUser()
    const [first = ''] = keyPathsIn(await area.admin.get(path))
    await created(path, 'Left')
    await area.admin.send(await area.admin.get(path), `${first}/revoke`, {})
    await area.admin.send(await area.admin.get(path), path, { timezone: 'Asia/Tokyo' })
    expect((await area.entriesOf(id)).at(-1)?.after).toMatchObject({ has_api_key: true })
  })

  it('are at most 20 for a user', async () => {
    const { path, id } = await area.makeUser()
    for (let index = 1; index < 20; index++) {
      const key = {
        name: `n${index}`,
        digest: new Uint8Array(32).fill(index),
        ciphertext: new Uint8Array(1),
        days: 1,
      }
      await apiKeyStore(area.database).create(
        { userId: 1, resellerId: null, operation: 'o', protocol: 'admin', requestId: 'r' },
        id,
        key,
        crypto.randomUUID(),
      )
    }
    await area.database.query('delete from api_keys where user_id = $1::bigint and name = $2', [
      String(id),
      'First key',
    ])
    await area.database.query(
      "insert into api_keys (user_id, name, digest, ciphertext) values ($1::bigint, 'x', $2, $3)",
      [String(id), new Uint8Array(32).fill(99), new Uint8Array(1)],
    )
    const { form_token = '' } = (await area.admin.get('/admin/users/new')).fieldsOf('/admin/users/new')
    const full = await area.admin.post(`${path}/keys`, { form_token, key_name: 'more', key_expiry: '90' })
    expect([full.status, textOf(full.html).includes('A user has at most 20 keys.')]).toEqual([409, true])
    // They rotate one after the other.
    const keys = await apiKeyStore(area.database).list(id)
    const replace = (index: number, seconds: number) =>
      apiKeyStore(area.database).replace(
        { userId: 1, resellerId: null, operation: 'o', protocol: 'admin', requestId: 'r' },
        id,
        keys[index]?.id ?? 0,
        { digest: new Uint8Array(32).fill(100 + index), ciphertext: new Uint8Array(1) },
        seconds,
        crypto.randomUUID(),
      )
    const outcomes = [await replace(0, 60), await replace(1, 60), await replace(2, 0)]
    expect(outcomes).toEqual([{ id: expect.any(Number) }, 'full', { id: expect.any(Number) }])
    expect(await apiKeyStore(area.database).list(id)).toHaveLength(21)
  })

  it('of users whom older programs create, change and end are the same', async () => {
    const { path, id } = await area.makeUser()
    const [page = ''] = keyPathsIn(await area.admin.get(path))
    const key = keyIn(await area.admin.get(page))
    const stored = () =>
      area.database.query<{ users: number; keys: number }>(
        `select count(api_key_digest)::int as users,
          (select count(*)::int from api_keys where user_id = users.id) as keys
          from users where id = $1::bigint group by id`,
        [String(id)],
      )
    expect(await stored()).toEqual([{ users: 1, keys: 1 }])
    await area.database.query(
      'update users set api_key_digest = null, api_key_ciphertext = null where id = $1::bigint',
      [String(id)],
    )
    expect(await works(key)).toBe('invalid_api_key')
    expect(await stored()).toEqual([{ users: 0, keys: 0 }])
    const other = await area.makeUser()
    const [first = ''] = keyPathsIn(await area.admin.get(other.path))
    await area.admin.send(await area.admin.get(other.path), `${first}/revoke`, {})
    const [row] = await area.database.query('select api_key_digest from users where id = $1::bigint', [
      String(other.id),
    ])
    expect(row).toEqual({ api_key_digest: null })
  })

  it('keep when they were last used', async () => {
    const [{ id = '' } = {}] = await area.database.query<{ id: string }>(
      'select id from api_keys order by id limit 1',
    )
    const store = apiKeyStore(area.database)
    await store.used([{ id, at: '2026-11-28T06:30:45.000Z' }])
    await store.used([{ id, at: '2026-11-28T05:00:00.000Z' }])
    const [row] = await area.database.query('select last_used_at as at from api_keys where id = $1::bigint', [
      id,
    ])
    expect(row).toEqual({ at: '2026-11-28T06:30:00Z' })
  })
})

describe('a user who is no administrator', () => {
  const area = administered(async () => (await import('../../testing/databases.js')).startPostgres())
  it('creates own keys', async () => {
    const { login, password, path, id } = await area.makeUser('a good password')
    const guest = new Visitor(area.served.url)
    await guest.signIn(login, password)
    const { location } = await guest.send(await guest.get(path), `${path}/keys`, { key_name: 'Mine' })
    const key = keyIn(await guest.get(location ?? ''))
    expect(await area.served.identity.authenticate({ apiKey: key })).toMatchObject({ userId: id })
  })
})
