import { describe, expect, it } from 'vitest'
import { hotp, stepOf } from '../../identity/totp.js'
import { administered } from '../../testing/administered.js'
import { type Page, serveAdministration, textOf, Visitor } from '../../testing/administration.js'
import { onEachDriver, startPostgres } from '../../testing/databases.js'

/** Reads the secret that a page shows, as base32. */
function secretIn({ html }: Page): Buffer {
  const text = (/id="secret" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll(' ', '')
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const nextCode = (secret: Buffer) => hotp(secret, stepOf(Date.now()) + 1)

/** Sets up an app for the signed-in user. Returns its secret, the step of its code and the recovery codes. */
async function setUp(guest: Visitor, path: string) {
  const security = `${path}/security`
  await guest.send(await guest.get(security), `${security}/app`, {})
  const page = await guest.get(`${security}/app`)
  const secret = secretIn(page)
  const step = stepOf(Date.now())
  const done = await guest.send(page, `${security}/app/confirm`, { code: hotp(secret, step) })
  const codes = await guest.get(done.location ?? '')
  return {
    security,
    secret,
    step,
    location: done.location,
    file: decodeURIComponent(
      /href="data:[^,"]*,([^"]*)" download="recovery-codes.txt"/.exec(codes.html)?.[1] ?? '',
    ),
    codes: [...codes.html.matchAll(/<code>([a-z2-7-]{19})<\/code>/g)].map(([, code]) => code ?? ''),
  }
}

onEachDriver('an authenticator app on', (start) => {
  const area = administered(start)
  const signedIn = async () => {
    const user = await area.makeUser('a good password')
    const guest = new Visitor(area.served.url)
    await guest.signIn(user.login, user.password)
    return { ...user, guest }
  }
  const second = async (login: string, code: string) => {
    const guest = new Visitor(area.served.url)
    const first = await guest.signIn(login, 'a good password')
    const page = await guest.send(await guest.get(first.location ?? ''), '/admin/sign-in/second-step', {
      code,
    })
    return { guest, first, page }
  }

  it('is a second step after the password, with each code once', async () => {
    const { login, path, guest, id } = await signedIn()
    const { secret, step, codes, file, location } = await setUp(guest, path)
    expect(location).toBe(`${path}/security/codes`)
    expect(codes).toHaveLength(10)
    expect(file).toBe(`${codes.join('\n')}\n`)
    // The codes are shown once.
    expect((await guest.get(`${path}/security/codes`)).location).toBe(`${path}/security`)

    const wrong = await second(login, '000000')
    expect([wrong.first.location, wrong.first.headers.get('set-cookie')?.includes('billing-admin=')]).toEqual(
      ['/admin/sign-in/second-step', false],
    )
    expect([wrong.page.status, (await wrong.guest.get('/admin/')).status]).toEqual([403, 303])
    expect(textOf(wrong.page.html)).toContain('This code is wrong, or was used already.')
    // The code that set the app up is used already; the one of the next step is not.
    expect((await second(login, hotp(secret, step))).page.status).toBe(403)
    const right = await second(login, hotp(secret, step + 1))
    expect(right.page.location).toBe('/admin/sign-in?done=in')
    expect((await right.guest.get(path)).status).toBe(200)
    expect((await second(login, hotp(secret, step + 1))).page.status).toBe(403)
    const entries = await area.entriesOf(id)
    expect(entries.map(({ operation, after }) => [operation, after])).toEqual([
      ['admin.users.create', expect.anything()],
      ['admin.sessions.open', null],
      ['admin.app.confirm', { app: true }],
      ['admin.recovery-codes.create', null],
      ['admin.sessions.open', { with: 'app' }],
    ])
    const rows = await area.database.query<{ text: string }>(
      'select row_to_json(totp_secrets)::text || (select json_agg(recovery_codes)::text from recovery_codes) as text from totp_secrets',
    )
    expect(rows.map(({ text }) => text).join()).not.toContain(secret.toString('base64'))
    expect(rows.map(({ text }) => text).join()).not.toContain(codes[0] ?? '')
  })

  it('can be replaced by a recovery code, each once', async () => {
    const { login, path, guest, id } = await signedIn()
    const { codes } = await setUp(guest, path)
    const [code = ''] = codes
    const right = await second(login, ` ${code.toUpperCase().replaceAll('-', ' ')} `)
    expect(right.page.location).toBe('/admin/sign-in?done=in')
    expect((await second(login, code)).page.status).toBe(403)
    expect(textOf((await guest.get(`${path}/security`)).html)).toContain('9 left.')
    expect((await area.entriesOf(id)).map(({ operation }) => operation)).toContain('admin.recovery-codes.use')
  })

  it('is not asked for by another user’s step, an old one or a forged one', async () => {
    const { login, path, guest } = await signedIn()
    const { secret } = await setUp(guest, path)
    const stranger = new Visitor(area.served.url)
    const first = await stranger.signIn(login, 'a good password')
    const step = stranger.cookie
    for (const cookie of ['', `${step}x`, step.replace(/=\d+/, '=1'), step.replace(/\.\w/, '.A')]) {
      stranger.cookie = cookie
      const page = await stranger.get(first.location ?? '')
      expect([cookie, page.location]).toEqual([cookie, '/admin/sign-in?done=late'])
    }
    stranger.cookie = step
    // A password that has changed since ends the step.
    const changed = { password: 'another password', repeated: 'another password' }
    await area.admin.send(await area.admin.get(path), `${path}/password`, changed)
    const late = await stranger.post('/admin/sign-in/second-step', { code: nextCode(secret) })
    expect(late.location).toBe('/admin/sign-in?done=late')
  })

  it('is turned off only by a session that is fresh, and reset by an administrator', async () => {
    const { login, path, guest, id } = await signedIn()
    const { security } = await setUp(guest, path)
    await area.database.query("update admin_sessions set confirmed_at = now() - interval '16 minutes'")
    const stale = await guest.get(security)
    const token = stale.fieldsOf('/admin/sign-out').form_token ?? ''
    expect(stale.html).not.toContain(`${security}/app/remove`)
    const asked = await guest.post(`${security}/app/remove`, { form_token: token })
    expect(asked.location).toBe(`/admin/confirm?${new URLSearchParams({ next: security })}`)
    const form = await guest.get(asked.location ?? '')
    const wrong = await guest.send(form, '/admin/confirm', { current: 'guessed' })
    expect([wrong.status, wrong.faultOf('current')]).toEqual([422, 'This is not your password.'])
    const right = await guest.send(form, '/admin/confirm', { current: 'a good password' })
    expect(right.location).toBe(security)
    const removed = await guest.send(await guest.get(security), `${security}/app/remove`, {})
    expect(removed.location).toBe(`${security}?done=app-off`)
    expect((await second(login, '')).first.location).toBe('/admin/sign-in?done=in')

    await setUp(guest, path)
    await area.database.query('update admin_sessions set confirmed_at = now()')
    const reset = await area.admin.send(await area.admin.get(path), `${path}/factors/reset`, {})
    expect(reset.location).toBe(`${path}?done=factors`)
    expect((await guest.get(path)).status).toBe(303)
    expect((await second(login, '')).first.location).toBe('/admin/sign-in?done=in')
    expect((await area.entriesOf(id)).map(({ operation }) => operation)).toContain('admin.factors.reset')
  })
})

describe('second factors', () => {
  const area = administered(startPostgres)

  it('ask the device for no passkey that could not be stored', async () => {
    const { id, login, password, path } = await area.makeUser('a good password')
    const guest = new Visitor(area.served.url)
    await guest.signIn(login, password)
    const host = area.served.url.replace('127.0.0.1', 'localhost')
    const shown = async () => {
      const local = new Visitor(host)
      local.cookie = guest.cookie
      const { html } = await local.get(`${path}/security`)
      return [html.includes('data-options'), html.includes('You have 20 passkeys, the most')]
    }
    const add = (count: number) =>
      area.database.query(
        `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, rp_id)
          select $1::bigint, 'Key ' || n, 'key-' || n, '', 0, '', 'localhost' from generate_series(1, $2::int) n
          on conflict do nothing`,
        [String(id), String(count)],
      )
    await add(19)
    expect(await shown()).toEqual([true, false])
    await add(20)
    expect(await shown()).toEqual([false, true])
  })

  it('are those of the signed-in user alone', async () => {
    const other = `/admin/users/${await area.idOf('reseller-a')}/security`
    const { form_token = '' } = (await area.admin.get('/admin/users/new')).fieldsOf('/admin/users/new')
    for (const path of ['', '/app', '/codes'])
      expect((await area.admin.get(`${other}${path}`)).status).toBe(404)
    for (const path of ['/app', '/app/confirm', '/app/remove', '/codes', '/passkeys', '/passkeys/1/remove'])
      expect([path, (await area.admin.post(`${other}${path}`, { form_token })).status]).toEqual([path, 404])
    const own = `/admin/users/${await area.idOf('admin')}`
    expect((await area.admin.post(`${own}/factors/reset`, { form_token })).status).toBe(404)
  })

  it('of browsers at an address are no passkeys, and junk as a passkey is refused', async () => {
    const page = await new Visitor(area.served.url).get('/admin/sign-in')
    expect(page.html).not.toContain('data-passkey')
    for (const passkey of ['', '{', '{"id":"x"}', '[]', `{"id":"${'x'.repeat(2_000)}"}`]) {
      const refused = await new Visitor(area.served.url).post('/admin/sign-in/passkey', { passkey })
      expect([refused.status, refused.location]).toEqual([303, '/admin/sign-in?done=key'])
    }
  })
})

it('a code may be wrong a few times', { tags: 'long' }, async () => {
  const source = await startPostgres()
  // A code may be wrong for one of 200 failures of an address.
  const served = await serveAdministration((await source.empty()).database, 400)
  const password = served.users.get('admin')?.password ?? ''
  const guest = new Visitor(served.url)
  await guest.signIn('admin', password)
  const { secret } = await setUp(guest, '/admin/users/1')
  const statuses: number[] = []
  for (const code of ['000000', '000000', nextCode(secret), 'aaaa-aaaa-aaaa-aaaa']) {
    const thief = new Visitor(served.url)
    await thief.signIn('admin', password)
    statuses.push((await thief.post('/admin/sign-in/second-step', { code })).status)
  }
  expect(statuses).toEqual([403, 403, 429, 429])
  await served.close()
  await source.stop()
})
