import { describe, expect, it } from 'vitest'
import { administered, keyIn, keyPathsIn } from '../../testing/administered.js'
import { Visitor } from '../../testing/administration.js'
import { startPostgres } from '../../testing/databases.js'

describe('users in the administration area', () => {
  const area = administered(startPostgres)

  describe('a user', () => {
    it('is found by login and by Reseller', async () => {
      const found = async (text: string) =>
        [
          ...(await area.admin.get(`/admin/users?q=${encodeURIComponent(text)}`)).html.matchAll(
            /users\/\d+"><bdi>([^<]+)</g,
          ),
        ].map(([, login]) => login)
      expect(await found('SELLER-a')).toEqual(['reseller-a'])
      expect(await found('reseller b')).toEqual(['reseller-b'])
      expect(await found('%')).toEqual([])
      expect(await found('\0')).toEqual([])
    })

    it('is listed page by page', async () => {
      for (let i = 0; i < 25; i++) await area.makeUser('', { login: `paged-${i}` })
      const first = await area.admin.get('/admin/users?q=paged-')
      expect(first.html.match(/class="main"/g)).toHaveLength(25)
      expect(first.html).not.toContain('rel="next"')
      await area.makeUser('', { login: 'paged-last' })
      expect((await area.admin.get('/admin/users?q=paged-')).html).toContain(
        'href="/admin/users?q&#x3D;paged-&amp;page&#x3D;2"',
      )
      const second = await area.admin.get('/admin/users?q=paged-&page=2')
      expect(second.html.match(/class="main"/g)).toHaveLength(1)
      expect((await area.admin.get('/admin/users?q=paged-&page=3')).location).toBe('/admin/users?q=paged-')
    })

    it('has a name that is escaped as text', async () => {
      const { path } = await area.makeUser('', { login: '<script>alert(1)</script>' })
      const { html } = await area.admin.get(path)
      expect(html).toContain('<h1><bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi></h1>')
      expect(html).not.toContain('<script>alert')
    })

    it('is changed with an entry of the state before and after', async () => {
      const { path, id, login } = await area.makeUser()
      await area.admin.send(await area.admin.get(path), path, { timezone: 'Asia/Tokyo', reseller: 'all' })
      const [, entry] = await area.entriesOf(id)
      const known = { id, login, role: 'user', active: true, has_password: false, has_api_key: true }
      expect(entry).toEqual({
        operation: 'admin.users.update',
        before: { ...known, reseller_id: 1, timezone: null, version: '1' },
        after: { ...known, reseller_id: null, timezone: 'Asia/Tokyo', version: '2' },
      })
      expect((await area.admin.send(await area.admin.get(path), path, {})).location).toBe(
        `${path}?done=unchanged`,
      )
      expect(await area.entriesOf(id)).toHaveLength(2)
    })

    it('stays an active administrator while there is no other', async () => {
      const path = `/admin/users/${await area.idOf('admin')}`
      const page = await area.admin.get(path)
      const demoted = await area.admin.send(page, path, { role: 'user' })
      expect([demoted.status, demoted.html.includes('last active administrator')]).toEqual([409, true])
      expect(demoted.html).toMatch(/id="role"[^>]* aria-invalid="true"/)
      const { active: _, ...fields } = page.fieldsOf(path)
      const deactivated = await area.admin.post(path, fields)
      expect(deactivated.status).toBe(409)
      expect(deactivated.html).toMatch(/id="active"[^>]* aria-invalid="true"/)
      expect((await area.admin.get('/admin/users')).status).toBe(200)
    })
  })

  it('keeps one of two administrators who demote each other at the same time', async () => {
    const { path, id } = await area.makeUser('', { role: 'admin' })
    const own = `/admin/users/${await area.idOf('admin')}`
    const [mine, theirs] = await Promise.all([area.admin.get(own), area.admin.get(path)])
    const answers = await Promise.all([
      area.admin.send(mine, own, { timezone: 'Asia/Tokyo', role: 'user' }),
      area.admin.send(theirs, path, { role: 'user' }),
    ])
    // The second change is refused: its sender is the last administrator, or no longer one.
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    const rows = await area.database.query("select id from users where role = 'admin' and active")
    expect(rows).toHaveLength(1)
    await area.database.query("update users set role = 'user' where id = $1::bigint", [String(id)])
  })

  describe('who is no administrator', () => {
    it('sees and changes only the own settings, key and sessions', async () => {
      const { login, password, path, id } = await area.makeUser('a good password')
      const guest = new Visitor(area.served.url)
      await guest.signIn(login, password)
      expect((await guest.get('/admin/')).location).toBe(path)
      const page = await guest.get(path)
      expect(page.html).not.toMatch(/href="\/admin\/(users|resellers|audit)"/)
      const token = page.fieldsOf(path).form_token ?? ''
      const other = `/admin/users/${await area.idOf('admin')}`
      for (const hidden of [
        '/admin/users',
        '/admin/users/new',
        '/admin/resellers',
        '/admin/audit',
        other,
        `${other}/keys/1`,
        `${other}/security`,
        '/admin/users/999',
      ])
        expect([hidden, (await guest.get(hidden)).status]).toEqual([hidden, 404])
      for (const hidden of [
        other,
        `${other}/keys`,
        `${other}/keys/1/show`,
        `${other}/keys/1/replace`,
        `${other}/keys/1/revoke`,
        `${other}/factors/reset`,
        `${other}/security/app`,
        `${other}/password`,
        `${other}/sessions/revoke`,
        '/admin/users/new',
        '/admin/resellers',
      ])
        expect([hidden, (await guest.post(hidden, { form_token: token, version: '1' })).status]).toEqual([
          hidden,
          404,
        ])
      await guest.send(page, path, { login: 'king', role: 'admin', reseller: '2', timezone: 'Asia/Tokyo' })
      expect((await area.entriesOf(id)).at(-1)?.after).toMatchObject({
        login,
        role: 'user',
        reseller_id: 1,
        active: true,
        timezone: 'Asia/Tokyo',
      })
      const [key = ''] = keyPathsIn(page)
      const shown = await guest.send(page, `${key}/show`, {})
      expect(keyIn(await guest.get(shown.location ?? ''))).toMatch(/^bk_/)
    })

    it('needs the own password to change it', async () => {
      const { login, password, path } = await area.makeUser('a good password')
      const guest = new Visitor(area.served.url)
      await guest.signIn(login, password)
      const page = await guest.get(path)
      const wanted = { password: 'my new password', repeated: 'my new password' }
      const wrong = await guest.send(page, `${path}/password`, { ...wanted, current: 'guessed' })
      expect(wrong.faultOf('current')).toBe('This is not your password.')
      expect(
        (await guest.send(page, `${path}/password`, { ...wanted, current: password, repeated: 'x' })).faultOf(
          'repeated',
        ),
      ).toBe('The passwords differ.')
      const done = await guest.send(page, `${path}/password`, { ...wanted, current: password })
      expect(done.location).toBe('/admin/sign-in?done=password')
      expect((await guest.signIn(login, 'my new password')).status).toBe(303)
    })
  })
})
