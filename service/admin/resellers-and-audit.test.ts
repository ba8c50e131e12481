import { describe, expect, it } from 'vitest'
import { administered } from '../testing/administered.js'
import { type Page, textOf, Visitor } from '../testing/administration.js'
import { startPostgres } from '../testing/databases.js'

describe('Resellers and the audit trail in the administration area', () => {
  const area = administered(startPostgres)

  describe('Resellers', () => {
    it('are created and renamed, with unique names', { tags: 'long' }, async () => {
      const list = await area.admin.get('/admin/resellers')
      expect((await area.admin.send(list, '/admin/resellers', { name: 'Acme' })).location).toBe(
        '/admin/resellers?q=Acme&done=created',
      )
      expect((await area.admin.send(list, '/admin/resellers', { name: 'Acme' })).faultOf('name')).toBe(
        'Another Reseller has this name, or one that looks like it.',
      )
      expect((await area.admin.send(list, '/admin/resellers', { name: '' })).faultOf('name')).toBe(
        'Enter a name.',
      )
      const [row] = await area.database.query<{ id: string }>("select id from resellers where name = 'Acme'")
      const path = `/admin/resellers/${row?.id}`
      const page = await area.admin.get(path)
      expect((await area.admin.send(page, path, { name: 'Reseller A' })).faultOf('name')).toBe(
        'Another Reseller has this name, or one that looks like it.',
      )
      expect((await area.admin.send(page, path, { name: 'Acme Ltd' })).location).toBe(`${path}?done=changed`)
      const late = await area.admin.send(page, path, { name: 'Acme Inc' })
      expect([late.status, late.html.includes('Stored now: <strong><bdi>Acme Ltd</bdi></strong>')]).toEqual([
        409,
        true,
      ])
      expect(
        await area.database.query(`select operation, before ->> 'name' as before, after ->> 'name' as after
          from audit where entity = 'reseller' order by id`),
      ).toEqual([
        { operation: 'admin.resellers.create', before: null, after: 'Acme' },
        { operation: 'admin.resellers.rename', before: 'Acme', after: 'Acme Ltd' },
      ])
    })

    it('keep a name given by somebody else when an unedited form is saved', async () => {
      const list = await area.admin.get('/admin/resellers')
      for (const name of ['reseller a', 'Rese1ler A', 'Reseller \u0410'])
        expect((await area.admin.send(list, '/admin/resellers', { name })).faultOf('name')).toBe(
          'Another Reseller has this name, or one that looks like it.',
        )
      expect((await area.admin.send(list, '/admin/resellers', { name: 'R\u200bS' })).faultOf('name')).toBe(
        'Remove the invisible characters.',
      )
      await area.admin.send(list, '/admin/resellers', { name: 'Before' })
      const [row] = await area.database.query<{ id: string }>(
        "select id from resellers where name = 'Before'",
      )
      const path = `/admin/resellers/${row?.id}`
      const page = await area.admin.get(path)
      await area.admin.send(page, path, { name: 'After' })
      const late = await area.admin.send(page, path, {})
      expect([late.status, late.valueOf('name'), late.html.includes('Stored now')]).toEqual([
        409,
        'After',
        false,
      ])
      expect((await area.admin.send(late, path, {})).location).toBe(`${path}?done=unchanged`)
      const wrong = await area.admin.send(page, path, { name: 'Reseller A' })
      expect([wrong.status, wrong.valueOf('name')]).toEqual([409, 'Reseller A'])
      const empty = await area.admin.send(page, path, { name: '' })
      expect([empty.status, empty.html.includes('Stored now: <strong><bdi>After</bdi></strong>')]).toEqual([
        422,
        true,
      ])
      const { loaded_name: _, ...without } = page.fieldsOf(path)
      const unsaid = await area.admin.post(path, without)
      expect([
        unsaid.valueOf('name'),
        unsaid.html.includes('Stored now: <strong><bdi>After</bdi></strong>'),
      ]).toEqual(['Before', true])
    })

    it('link to the users of one Reseller only, across pages and searches', {
      tags: 'long',
    }, async () => {
      const list = await area.admin.get('/admin/resellers')
      await area.admin.send(list, '/admin/resellers', { name: 'e' })
      const [row] = await area.database.query<{ id: string }>("select id from resellers where name = 'e'")
      const reseller = row?.id ?? ''
      const { login } = await area.makeUser('', { reseller })
      const href = `/admin/users?reseller=${reseller}`
      const page = textOf((await area.admin.get(`/admin/resellers/${reseller}`)).html)
      expect(page).toContain(`<a href="${href}">Users: 1</a>, clients: 0.`)
      expect(page).toContain(`href="/admin/audit?entity=reseller&id=${reseller}"`)
      const { html } = await area.admin.get('/admin/resellers?q=e')
      expect(textOf(html)).toContain(`href="${href}" aria-label="1 users of e"`)
      const loginsAt = async (path: string) =>
        [...(await area.admin.get(path)).html.matchAll(/users\/\d+"><bdi>([^<]+)<\/bdi><\/a><\/td>/g)].map(
          ([, text]) => text,
        )
      expect(await loginsAt(href)).toEqual([login])
      expect(await loginsAt(`${href}&q=reseller-a`)).toEqual([])
      for (const gone of ['999', 'e']) {
        expect((await area.admin.get(`/admin/users?reseller=${gone}`)).status).toBe(404)
      }
      for (let index = 0; index < 25; index++) await area.makeUser('', { reseller })
      expect(textOf((await area.admin.get(href)).html)).toContain(`href="${href}&page=2" rel="next"`)
    })
  })

  describe('the audit trail', () => {
    it('keeps the navigation on a page that fails', async () => {
      await area.database.query('alter table audit rename to audit_elsewhere')
      const { status, html } = await area.admin.get('/admin/audit')
      await area.database.query('alter table audit_elsewhere rename to audit')
      expect(status).toBe(500)
      for (const part of ['<h1>Something went wrong</h1>', 'aria-label="Areas"', '<button>Sign out</button>'])
        expect(html).toContain(part)
    })

    const operations = async (query: string) =>
      [...(await area.admin.get(`/admin/audit?${query}`)).html.matchAll(/<code>(admin[^<]*)</g)].map(
        ([, text]) => text,
      )

    it('is searched by action, object, user, request, protocol and day', async () => {
      const { id, login, password, path } = await area.makeUser('a good password')
      const guest = new Visitor(area.served.url)
      await guest.signIn(login, password)
      const changed = await guest.send(await guest.get(path), path, { timezone: 'Asia/Tokyo' })
      expect(await operations(`entity=user&id=${id}`)).toEqual([
        'admin.users.update',
        'admin.sessions.open',
        'admin.users.create',
      ])
      expect(await operations(`entity=user&id=${login}`)).toHaveLength(3)
      expect(await operations('entity=user&id=nobody')).toEqual([])
      expect(await operations(`user=${login}`)).toEqual(['admin.users.update', 'admin.sessions.open'])
      expect(await operations(`user=${login}&action=admin.users.update`)).toEqual(['admin.users.update'])
      expect(await operations(`request=${changed.headers.get('x-request-id')}`)).toEqual([
        'admin.users.update',
      ])
      expect(await operations(`user=${login}&protocol=admin`)).toHaveLength(2)
      expect(await operations(`user=${login}&protocol=rest`)).toEqual([])
      const day = new Date().toISOString().slice(0, 10)
      expect(await operations(`user=${login}&from=${day}&to=${day}`)).toHaveLength(2)
      expect(await operations(`user=${login}&to=2020-01-01`)).toEqual([])
      expect(await operations(`user=${login}&from=9999-12-31`)).toEqual([])
      for (const hostile of ['%00', '%27', '%ED%A0%80', '%3Cb%3E'])
        for (const name of ['action', 'request', 'protocol', 'entity=user&id'])
          expect(await operations(`${name}=${hostile}`)).toEqual([])
      const nobody = await area.admin.get('/admin/audit?user=nobody')
      expect([nobody.status, nobody.html.includes('Nothing matches the filter.')]).toEqual([200, true])
      const wrong = await area.admin.get('/admin/audit?from=soon')
      expect(wrong.faultOf('from')).toBe('Enter a day, such as 2026-01-31.')
      expect(wrong.html).not.toMatch(/Not saved|Nothing passes/)
    })

    it('finds what people type: a part of a name, a login in any case, the beginning of a request id', async () => {
      const { id, login, path } = await area.makeUser()
      await area.admin.send(await area.admin.get(path), path, { login: `Ünïque ${login} 50%_` })
      const both = ['admin.users.update', 'admin.users.create']
      for (const text of ['ünïque', `ÜNÏQUE ${login.toUpperCase()}`, '50%_'])
        for (const entity of ['', 'user'])
          expect([
            text,
            entity,
            await operations(new URLSearchParams({ id: text, entity }).toString()),
          ]).toEqual([text, entity, both])
      // Wildcards are letters.
      for (const text of ['50__', `${login}%50`, 'ünïq_e'])
        expect(await operations(new URLSearchParams({ id: text }).toString())).toEqual([])
      expect(await operations(`id=${id}&action=admin.users.update`)).toEqual(['admin.users.update'])
      expect(await operations(`id=${id}&user=ADMIN`)).toEqual(both)
      const { html } = await area.admin.get(`/admin/audit?id=${id}&action=admin.users.update`)
      const [, request = ''] = /\?request=([\w-]+)"/.exec(html) ?? []
      for (const typed of [
        request,
        request.slice(0, 8),
        `${request.slice(0, 8)}…`,
        request.slice(0, 8).toUpperCase(),
      ])
        expect([typed, await operations(new URLSearchParams({ request: typed }).toString())]).toEqual([
          typed,
          ['admin.users.update'],
        ])
      expect(await operations(`request=${request.slice(1, 9)}`)).toEqual([])
    })

    it('reads as sentences', async () => {
      const { id, login, path } = await area.makeUser('a good password')
      const form = { key_name: 'CI <b>', key_expiry: 'never' }
      await area.admin.send(await area.admin.get(path), `${path}/keys`, form)
      await area.admin.send(await area.admin.get(path), path, { timezone: 'Asia/Tokyo' })
      const { html } = await area.admin.get(`/admin/audit?entity=user&id=${id}`)
      const sentences = [...html.matchAll(/class="sentence"[^>]*>(.*?)<\/td>/gs)].map(([, cell]) =>
        textOf((cell ?? '').replace(/<[^>]*>/g, '')),
      )
      expect(sentences).toEqual([
        `admin changed user ${login}`,
        `admin created the API key CI <b> of ${login}`,
        `admin created user ${login}`,
      ])
    })

    it('isolates names, so that none can forge a sentence', async () => {
      const { id, login, path } = await area.makeUser('a good password')
      const page = await area.admin.get(path)
      // The form refuses such names. Older rows may have them, and clients get theirs over the API.
      const name = 'x” of \u2069\u202eadmin'
      const form = { key_name: name, key_expiry: 'never' }
      const refused = await area.admin.send(page, `${path}/keys`, form)
      expect(refused.faultOf('key_name')).toBe('Remove the invisible characters.')
      await area.database.query(
        `insert into audit (user_id, operation, protocol, request_id, entity, entity_id, after)
          values (1, 'admin.keys.create', 'admin', 'r', 'user', $1, jsonb_build_object('key', $2::text))`,
        [String(id), name],
      )
      const { html } = await area.admin.get(`/admin/audit?entity=user&id=${id}`)
      expect(html).toContain(
        `created the API key <strong><bdi>x” of [U+2069][U+202E]admin</bdi></strong> of <a href="${path}"><bdi>${login}</bdi></a>`,
      )
    })

    it('has names as they were, and finds what was called so', async () => {
      const { id, login, path } = await area.makeUser()
      await area.admin.send(await area.admin.get(path), path, { login: `${login}-later` })
      await area.admin.send(await area.admin.get(path), path, { timezone: 'Asia/Tokyo' })
      for (const called of [login, `${login}-later`]) {
        const { html } = await area.admin.get(`/admin/audit?entity=user&id=${called}`)
        expect([...html.matchAll(/user <a[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)).toEqual([
          `${login}-later`,
          login,
          login,
        ])
      }
      expect(await operations(`entity=user&id=${id}`)).toHaveLength(3)
    })

    it('is saved as CSV', async () => {
      const { id } = await area.makeUser()
      const file = await area.admin.get(`/admin/audit.csv?entity=user&id=${id}`)
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
      const [names, row] = file.html.split('\r\n')
      expect(names).toBe('at,user_id,login,operation,protocol,request_id,entity,entity_id,name,before,after')
      expect(row).toMatch(
        new RegExp(
          `^[\\d-]+T[\\d:.]+Z,1,admin,admin.users.create,admin,[\\w-]+,user,${id},user-\\d+,,"{""id""`,
        ),
      )
      expect((await area.admin.get('/admin/audit.csv?from=soon')).status).toBe(422)
    })

    it('names fields and Resellers as the pages do', async () => {
      const { id, path, login } = await area.makeUser()
      await area.admin.send(await area.admin.get(path), path, { reseller: '2', timezone: 'Asia/Tokyo' })
      const page = await area.admin.get(`/admin/audit?entity=user&id=${id}`)
      const changes = [...page.html.matchAll(/<ul class="changes">(.*?)<\/ul>/gs)].map(([, list]) =>
        textOf(list ?? '')
          .replace(/<[^>]*>|\s+/g, ' ')
          .replace(/ +/g, ' ')
          .trim(),
      )
      expect(changes).toEqual([
        'Reseller: Reseller A → Reseller B time zone: none → Asia/Tokyo',
        `login: ${login} Reseller: Reseller A role: user time zone: none password: no API key: yes active: yes`,
      ])
    })

    it('continues on the next page', { tags: 'long' }, async () => {
      // A page has 25 entries.
      for (let index = 0; index < 26; index++) await area.makeUser()
      const page = await area.admin.get('/admin/audit')
      const older = /href="([^"]*)" rel="next"/.exec(page.html)?.[1]
      const next = await area.admin.get(textOf(older ?? ''))
      expect(next.html).toContain('rel="prev"')
      const times = ({ html }: Page) =>
        [...html.matchAll(/datetime="([^"]*)"/g)].map(([, time]) => time ?? '')
      expect((times(next)[0] ?? '') <= (times(page).at(-1) ?? '')).toBe(true)
    })
  })
})
