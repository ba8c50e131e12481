import { describe, expect, it } from 'vitest'
import { administered } from '../../testing/administered.js'
import { serveAdministration, Visitor } from '../../testing/administration.js'
import { startPGlite, startPostgres } from '../../testing/databases.js'

describe('sessions of the administration area', () => {
  const area = administered(startPostgres)

  describe('signing in', () => {
    it('sets a cookie for this host only, hidden from scripts and other sites’ forms', async () => {
      const page = await new Visitor(area.served.url).signIn(
        'admin',
        area.served.users.get('admin')?.password ?? '',
      )
      expect([page.status, page.location]).toEqual([303, '/admin/sign-in?done=in'])
      expect(page.headers.get('set-cookie')).toMatch(
        /^billing-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      const secure = await fetch(`${area.served.url}/admin/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: area.served.url, 'x-forwarded-proto': 'https' },
        body: new URLSearchParams({
          login: 'admin',
          password: area.served.users.get('admin')?.password ?? '',
        }),
      })
      expect(secure.headers.get('set-cookie')).toMatch(
        /^__Host-billing-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      )
    })

    it('is refused with the same answer for every fault, and keeps only the login', async () => {
      await area.database.query("update users set active = false where login = 'reseller-b'")
      const texts: string[] = []
      for (const [login, password] of [
        ['reseller-a', 'open sesame'],
        ['nobody', 'open sesame'],
        ['reseller-b', area.served.users.get('reseller-b')?.password ?? ''],
        ['reseller-a', 'x'.repeat(2_000)],
      ] as const) {
        const page = await new Visitor(area.served.url).signIn(login, password)
        expect([page.status, page.headers.get('set-cookie')]).toEqual([403, null])
        expect(page.valueOf('login')).toBe(login)
        expect(page.html).not.toContain(password)
        texts.push(page.html.replace(login, ''))
      }
      expect(new Set(texts).size).toBe(1)
      const form = { login: 'nobody', password: 'open sesame', next: '/admin/' }
      const { status, location } = await new Visitor(area.served.url).answerTo('/admin/sign-in', form)
      expect([status, location]).toEqual([303, '/admin/sign-in?done=wrong'])
      await area.database.query("update users set active = true where login = 'reseller-b'")
    })

    it('says so if the browser stores no cookie', async () => {
      const forgetful = new Visitor(area.served.url)
      const password = area.served.users.get('admin')?.password ?? ''
      const { location } = await forgetful.signIn('admin', password)
      expect((await forgetful.get(location ?? '')).location).toBe('/admin/')
      forgetful.cookie = ''
      const page = await forgetful.get(location ?? '')
      expect([page.status, page.html.includes('your browser has not kept the session')]).toEqual([200, true])
    })

    it('returns to the requested page', async () => {
      const stranger = new Visitor(area.served.url)
      const { location } = await stranger.get('/admin/audit?user=admin')
      expect(location).toBe('/admin/sign-in?next=%2Fadmin%2Faudit%3Fuser%3Dadmin')
      const page = await stranger.get(location ?? '')
      const password = area.served.users.get('admin')?.password ?? ''
      const back = await stranger.send(page, '/admin/sign-in', { login: 'admin', password })
      expect((await stranger.get(back.location ?? '')).location).toBe('/admin/audit?user=admin')
      expect((await stranger.get('/admin/sign-in?next=//evil.example/')).location).toBe('/admin/')
    })

    it('returns to the page of a form whose session was lost', async () => {
      const { path } = await area.makeUser()
      const page = await area.admin.get(path)
      const stranger = new Visitor(area.served.url)
      const { location } = await stranger.send(page, `${path}/keys/1/revoke`, {})
      expect(location).toBe(`/admin/sign-in?${new URLSearchParams({ done: 'lost', next: path })}`)
    })
  })

  describe('a session', () => {
    const aged = async (column: 'used_at' | 'created_at', interval: string) => {
      const guest = await area.visitor('reseller-a')
      const path = `/admin/users/${await area.idOf('reseller-a')}`
      await area.database.query(
        `update admin_sessions set ${column} = now() - interval '${interval}' where user_id = 2`,
      )
      return (await guest.get(path)).status
    }

    it('ends after idle time, and after a working day', { tags: 'long' }, async () => {
      expect(await aged('used_at', '19 minutes')).toBe(200)
      expect(await aged('used_at', '21 minutes')).toBe(303)
      expect(await aged('created_at', '7 hours')).toBe(200)
      expect(await aged('created_at', '9 hours')).toBe(303)
    })

    it('ends by signing out, even for a kept cookie', async () => {
      const guest = await area.visitor('reseller-a')
      const { cookie } = guest
      const home = await guest.get(`/admin/users/${await area.idOf('reseller-a')}`)
      expect((await guest.send(home, '/admin/sign-out', {})).location).toBe('/admin/sign-in?done=signed-out')
      expect(guest.cookie).toBe('')
      guest.cookie = cookie
      expect((await guest.get('/admin/')).location).toBe('/admin/sign-in')
    })

    it('is stored as a digest', async () => {
      const guest = await area.visitor('reseller-a')
      const token = guest.cookie.split('=')[1] ?? ''
      const rows = await area.database.query<{ text: string }>(
        'select row_to_json(admin_sessions)::text as text from admin_sessions',
      )
      expect(rows.map(({ text }) => text).join()).not.toContain(token)
    })

    it('ends with its user’s password, and so do API tokens', { tags: 'long' }, async () => {
      const { login, password, path } = await area.makeUser('a good password')
      const guest = new Visitor(area.served.url)
      await guest.signIn(login, password)
      const { token } = await area.served.identity.login(login, password)
      const changed = { password: 'another password', repeated: 'another password' }
      const page = await area.admin.send(await area.admin.get(path), `${path}/password`, changed)
      expect(page.location).toBe(`${path}?done=password`)
      expect((await guest.get(path)).status).toBe(303)
      await expect(area.served.identity.authenticate({ jwt: token })).rejects.toMatchObject({
        code: 'invalid_token',
      })
      expect((await guest.signIn(login, password)).status).toBe(403)
      expect((await guest.signIn(login, 'another password')).status).toBe(303)
    })

    it('ends when its user is deactivated', { tags: 'long' }, async () => {
      const { login, password, path } = await area.makeUser('a good password')
      const guest = new Visitor(area.served.url)
      await guest.signIn(login, password)
      const { active: _, ...fields } = (await area.admin.get(path)).fieldsOf(path)
      expect((await area.admin.post(path, fields)).location).toBe(`${path}?done=changed`)
      expect((await guest.get(path)).status).toBe(303)
    })

    it('is listed, and ended one by one or all at once', async () => {
      const { login, password, path, id } = await area.makeUser('a good password')
      const one = new Visitor(area.served.url)
      await one.signIn(login, password)
      await area.served.identity.login(login, password)
      const page = await area.admin.get(path)
      const actions = [...page.html.matchAll(/action="([^"]*\/sessions\/[^"]*\/revoke)"/g)].map(
        ([, to]) => to,
      )
      expect(actions).toHaveLength(2)
      for (const action of actions)
        expect((await area.admin.send(page, action ?? '', {})).location).toBe(`${path}?done=ended`)
      expect((await one.get(path)).status).toBe(303)
      expect((await area.admin.get(path)).html).toContain('Nobody is signed in as this user.')
      expect((await area.entriesOf(id)).map(({ operation }) => operation)).toEqual([
        'admin.users.create',
        'admin.sessions.open',
        'admin.sessions.revoke',
        'admin.sessions.revoke',
      ])
      await one.signIn(login, password)
      const own = await one.get(path)
      const action = /action="([^"]*\/sessions\/[^"]+\/revoke)"/.exec(own.html)?.[1] ?? ''
      expect((await one.send(own, action, {})).location).toBe('/admin/sign-in?done=ended')
      expect((await area.admin.send(page, `${path}/sessions/revoke`, {})).location).toBe(
        `${path}?done=all-ended`,
      )
    })
  })
})

it('says when too many passwords were tried', { tags: 'long' }, async () => {
  const source = await startPGlite()
  // A login may fail a twentieth as often as an address.
  const served = await serveAdministration((await source.empty()).database, 40)
  const guest = new Visitor(served.url)
  const right = served.users.get('admin')?.password ?? ''
  const statuses: number[] = []
  for (const password of ['wrong', 'wrong', right])
    statuses.push((await guest.signIn('admin', password)).status)
  expect(statuses).toEqual([403, 403, 429])
  const page = await guest.signIn('admin', right)
  expect(page.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(page.html).toMatch(/Too many attempts. Try again in \d+ minutes\./)
  // What was typed may be right.
  expect(page.html).not.toContain('aria-invalid')
  // A redirect, whose page sends nothing again. It says so until the wait is over, and keeps the login.
  const { status, location } = await guest.answerTo('/admin/sign-in', {
    login: 'admin',
    password: right,
    next: '/admin/',
  })
  const [, until = ''] = /^\/admin\/sign-in\?done=limited&until=(\d+)$/.exec(location ?? '') ?? []
  expect([status, Number(until) > Date.now() / 1000]).toEqual([303, true])
  expect(page.valueOf('login')).toBe('admin')
  for (const over of ['1', '99999999999', 'x', ''])
    expect((await guest.get(`/admin/sign-in?done=limited&until=${over}`)).status).toBe(200)
  await served.close()
  await source.stop()
})

it('says when too many passkeys were tried', async () => {
  const source = await startPostgres()
  const served = await serveAdministration((await source.empty()).database, 2)
  const guest = new Visitor(served.url)
  const send = () => guest.answerTo('/admin/sign-in/passkey', { passkey: '{"id":"x"}', next: '/admin/users' })
  // A minute may end in between.
  await expect.poll(async () => (await send()).location).toContain('done=limited')
  const refused = await send()
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused.location).toMatch(/^\/admin\/sign-in\?done=limited&next=%2Fadmin%2Fusers&until=\d+$/)
  const page = await guest.get(refused.location ?? '')
  expect(page.html).toMatch(/Too many attempts\. Try again in \d+ seconds?\./)
  expect([page.status, page.html.includes('not accepted')]).toEqual([429, false])
  await served.close()
  await source.stop()
})

it('counts unknown session cookies as failures of an address, and keeps open sessions', {
  tags: 'long',
}, async () => {
  const source = await startPGlite()
  const served = await serveAdministration((await source.empty()).database, 20)
  const guest = new Visitor(served.url)
  await guest.signIn('admin', served.users.get('admin')?.password ?? '')
  expect((await guest.get('/admin/users')).status).toBe(200)
  const guesses: number[] = []
  for (let index = 0; index < 22; index++) {
    const guesser = new Visitor(served.url)
    guesser.cookie = `billing-admin=${String(index).padStart(43, 'A')}`
    guesses.push((await guesser.get('/admin/users')).status)
  }
  // A redirect to the sign-in page, then 429. A minute may end in between.
  expect([guesses[0], guesses.includes(429)]).toEqual([303, true])
  expect((await guest.get('/admin/users')).status).toBe(200)
  await served.close()
  await source.stop()
})
