import { describe, expect, it } from 'vitest'
import { administered } from '../testing/administered.js'
import { startPostgres } from '../testing/databases.js'

describe('forms and pages of the administration area', () => {
  const area = administered(startPostgres)

  describe('a form', () => {
    it('is accepted only from a page of this origin with this session’s token', async () => {
      const { path, id } = await area.makeUser()
      const other = await area.visitor('admin')
      const fields = (await area.admin.get(path)).fieldsOf(path)
      const foreign = (await other.get(path)).fieldsOf(path).form_token ?? ''
      const changed: Record<string, string> = { ...fields, timezone: 'Asia/Tokyo' }
      const { form_token: _, ...without } = changed
      for (const [sent, headers] of [
        [changed, {}],
        [changed, { origin: 'https://evil.example' }],
        [changed, { origin: 'null' }],
        [changed, { 'sec-fetch-site': 'cross-site', origin: area.served.url }],
        [changed, { 'sec-fetch-site': 'same-site' }],
        [without, { origin: area.served.url }],
        [{ ...changed, form_token: foreign }, { origin: area.served.url }],
      ] as const) {
        expect((await area.admin.post(path, sent, headers)).status).toBe(403)
      }
      expect((await area.entriesOf(id)).map(({ operation }) => operation)).toEqual(['admin.users.create'])
      expect((await area.admin.post(path, changed, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    })

    it.each([70_000, 3_000_000])('of %d bytes is refused with a page that says why', async (bytes) => {
      const { path } = await area.makeUser()
      const page = await area.admin.get(path)
      const refused = await area.admin.send(page, path, { login: 'x'.repeat(bytes) })
      expect(refused.status).toBe(413)
      expect(refused.html).toContain('A form may have at most 64 KiB. Nothing was changed.')
      expect((await area.admin.get(path)).valueOf('login')).toMatch(/^user-/)
    })

    it('shows errors next to each field, and keeps the input except passwords', async () => {
      const page = await area.admin.get('/admin/users/new')
      const wrong = await area.admin.send(page, '/admin/users/new', {
        login: '',
        role: 'king',
        reseller: '999',
        timezone: '"><Mars',
        password: 'short',
        repeated: 'short',
      })
      expect(wrong.status).toBe(422)
      expect(wrong.faultOf('login')).toBe('Enter a login.')
      expect(wrong.faultOf('role')).toBe('Choose a role.')
      expect(wrong.faultOf('reseller')).toBe('This Reseller no longer exists.')
      expect(wrong.faultOf('timezone')).toMatch(/^Enter a name of the IANA time zone database/)
      expect(wrong.faultOf('password')).toBe('Enter 8 to 1024 characters.')
      expect(wrong.valueOf('timezone')).toBe('&quot;&gt;&lt;Mars')
      expect(wrong.html).not.toContain('short')
      expect(wrong.html).toMatch(
        /id="login"[^>]* aria-describedby="login-hint login-fault" aria-invalid="true"/,
      )
      for (const [login, fault] of [
        ['ann ', 'Remove the spaces before and after it.'],
        ['\u00a0ann', 'Remove the spaces before and after it.'],
        ['an\u200bn', 'Remove the invisible characters.'],
        ['\u0430nn', 'Use one alphabet: letters of two look alike.'],
      ]) {
        const refused = await area.admin.send(page, '/admin/users/new', { login: login ?? '' })
        expect([refused.status, refused.faultOf('login')]).toEqual([422, fault])
        expect(refused.faultOf('reseller')).toBe('Choose a Reseller, or no limit.')
      }
      for (const login of ['Reseller-A', 'resel1er-a', 'RESELLER-\uff21', '\u0410dmin', '\u0391\u0412'])
        await area.admin.send(page, '/admin/users/new', { login, reseller: '1' })
      expect(
        await area.database.query("select login from users where login_look(login) like 'RESE%'"),
      ).toEqual([{ login: 'reseller-a' }, { login: 'reseller-b' }])
      const taken = await area.admin.send(page, '/admin/users/new', { login: 'reseller-a', reseller: '1' })
      expect([taken.status, taken.faultOf('login')]).toEqual([
        422,
        'Another user has this login, or one that looks like it.',
      ])
    })

    it('that is refused leads to a page, whose reload sends no form again', async () => {
      const { path } = await area.makeUser()
      const { form_token = '' } = (await area.admin.get('/admin/users/new')).fieldsOf('/admin/users/new')
      const typed = { form_token, login: 'an\0n', password: 'a secret', repeated: 'another' }
      const { status, location } = await area.admin.answerTo('/admin/users/new', typed)
      expect([status, location]).toEqual([
        303,
        expect.stringMatching(/^\/admin\/users\/new\?refused=[\w-]{16}$/),
      ])
      for (const _ of [1, 2]) {
        const page = await area.admin.get(location ?? '')
        expect([page.status, page.faultOf('login'), page.faultOf('repeated')]).toEqual([
          422,
          'Remove the control characters.',
          'The passwords differ.',
        ])
        expect(page.html).toContain('<title>Not saved: Create user')
        expect(page.html).not.toContain('secret')
      }
      // It is the session's own, and of this path alone.
      const other = await area.visitor('admin')
      expect((await other.get(location ?? '')).status).toBe(200)
      expect((await area.admin.get(`${path}?${location?.split('?')[1]}`)).status).toBe(200)
      expect((await area.admin.get('/admin/users/new?refused=%00')).status).toBe(200)
      const stored = await area.database.query('select refused_page from admin_sessions')
      expect(JSON.stringify(stored)).not.toContain('a secret')
      await area.database.query("update admin_sessions set refused_at = now() - interval '16 minutes'")
      expect((await area.admin.get(location ?? '')).status).toBe(200)
    })

    it('that is stale changes nothing, and marks the fields that both have changed', async () => {
      const { path } = await area.makeUser()
      const page = await area.admin.get(path)
      await area.admin.send(page, path, { timezone: 'Asia/Tokyo' })
      const late = await area.admin.send(page, path, { timezone: 'UTC' })
      expect([late.status, late.valueOf('timezone')]).toEqual([409, 'UTC'])
      expect(late.html.match(/Stored now: <strong><bdi>[^<]*/g)).toEqual([
        'Stored now: <strong><bdi>Asia/Tokyo',
      ])
      expect((await area.admin.get(path)).valueOf('timezone')).toBe('Asia/Tokyo')
    })

    it('that is sent twice is saved once, and both answers say so', async () => {
      const { path, id } = await area.makeUser()
      const page = await area.admin.get(path)
      for (const _ of [1, 2])
        expect((await area.admin.send(page, path, { timezone: 'Asia/Tokyo' })).location).toBe(
          `${path}?done=changed`,
        )
      expect(await area.entriesOf(id)).toHaveLength(2)
      const name = `Twice ${id}`
      await area.admin.send(await area.admin.get('/admin/resellers'), '/admin/resellers', { name })
      const { html } = await area.admin.get(`/admin/resellers?q=Twice+${id}`)
      const reseller = /\/admin\/resellers\/\d+/.exec(html)?.[0] ?? ''
      const form = await area.admin.get(reseller)
      for (const _ of [1, 2])
        expect((await area.admin.send(form, reseller, { name: `${name} more` })).location).toBe(
          `${reseller}?done=changed`,
        )
    })

    it('that is stale keeps others’ changes in unedited fields when it is saved again', async () => {
      const { path, id } = await area.makeUser('', { role: 'user', active: 'yes' })
      const page = await area.admin.get(path)
      const { active: _, ...inactive } = page.fieldsOf(path)
      await area.admin.post(path, { ...inactive, timezone: 'Asia/Tokyo', reseller: '2' })
      const late = await area.admin.send(page, path, { role: 'admin' })
      expect([late.status, late.html.includes('Stored now')]).toEqual([409, false])
      expect((await area.admin.send(late, path, {})).location).toBe(`${path}?done=changed`)
      const changed = { role: 'admin', timezone: 'Asia/Tokyo', reseller_id: 2, active: false }
      expect((await area.entriesOf(id)).at(-1)?.after).toMatchObject(changed)
    })

    it('that is stale and invalid keeps them too', async () => {
      const { path, id } = await area.makeUser()
      const page = await area.admin.get(path)
      await area.admin.send(page, path, { timezone: 'Asia/Tokyo' })
      const wrong = await area.admin.send(page, path, { login: '' })
      expect([wrong.status, wrong.valueOf('timezone')]).toEqual([422, 'Asia/Tokyo'])
      await area.admin.send(wrong, path, { login: `renamed-${id}` })
      const changed = { login: `renamed-${id}`, timezone: 'Asia/Tokyo' }
      expect((await area.entriesOf(id)).at(-1)?.after).toMatchObject(changed)
    })

    it('with missing or forged loaded values has all fields marked', async () => {
      const { path } = await area.makeUser()
      const page = await area.admin.get(path)
      await area.admin.send(page, path, { timezone: 'Asia/Tokyo' })
      const { loaded_timezone: _, ...without } = page.fieldsOf(path)
      for (const sent of [without, { ...without, loaded_timezone: '"><b>' }]) {
        const late = await area.admin.post(path, { ...sent, timezone: 'UTC' })
        expect([late.status, late.valueOf('timezone')]).toEqual([409, 'UTC'])
        expect(late.html).toContain('Stored now: <strong><bdi>Asia/Tokyo</bdi></strong>')
        expect(late.html).not.toContain('<b>')
      }
    })

    it('of an unknown kind, or too long, is refused', async () => {
      const sent = (body: string, type: string) =>
        fetch(`${area.served.url}/admin/sign-in`, {
          method: 'POST',
          body,
          // `fetch` follows the redirect to the page that says so.
          headers: { 'content-type': type, origin: area.served.url },
        })
      expect((await sent('{}', 'application/json')).status).toBe(415)
      expect((await sent('a'.repeat(70_000), 'application/x-www-form-urlencoded')).status).toBe(413)
    })
  })

  it('answers every path with a strict Content-Security-Policy and without caching', async () => {
    for (const path of ['/admin', '/admin/sign-in', '/admin/users', '/admin/nothing']) {
      const { headers } = await area.admin.get(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      )
    }
    const { html } = await area.admin.get('/admin/users')
    expect(html).not.toMatch(/ style=|<style|<script>| on\w+=/)
  })

  it('answers OPTIONS with the methods of a path', async () => {
    const options = await fetch(`${area.served.url}/admin/users/1/keys`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST'])
    const put = await fetch(`${area.served.url}/admin/users`, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await area.admin.get('/admin/users/1/keys/1/revoke')).location).toBe('/admin/users/1')
  })
})
