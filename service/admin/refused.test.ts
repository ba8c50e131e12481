import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { problem } from '../problem.js'
import type { Database } from '../storage/database/database.js'
import { type ServedAdministration, serveAdministration, Visitor } from '../testing/administration.js'
import { type DatabaseSource, startPostgres } from '../testing/databases.js'
import { routes } from './routes.js'

/** An address of each form of signed-in users. Nothing has the number 999. */
const forms = routes.flatMap(({ path, who, post }) =>
  post === undefined || who === 'anybody' ? [] : [addressOf(path)],
)

function addressOf({ source }: RegExp): string {
  return source
    .slice(1, -1)
    .replaceAll('\\/', '/')
    .replace(/\(\?<session>.*\)(?=\/)/, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\(\?<\w+>[^)]*\)/g, '999')
}

describe('a form that is refused', () => {
  let source: DatabaseSource
  let served: ServedAdministration
  /** What the database answers. */
  let failure: Error | undefined
  beforeAll(async () => {
    source = await startPostgres()
    const { database } = await source.empty()
    const failing: Database = {
      ...database,
      query: async (...statement) => {
        if (failure !== undefined) throw failure
        return await database.query(...statement)
      },
      transaction: async (work) => {
        if (failure !== undefined) throw failure
        return await database.transaction(work)
      },
    }
    // A code may be wrong for one of 200 failures of an address.
    served = await serveAdministration(failing, 400)
  })
  afterEach(() => {
    failure = undefined
  })
  afterAll(async () => {
    await served?.close()
    await source?.stop()
  })
  const signedIn = async (login: string) => {
    const guest = new Visitor(served.url)
    await guest.signIn(login, served.users.get(login)?.password ?? '')
    return guest
  }

  it.each(forms)('at %s leads to a page, which a reload asks for', async (path) => {
    // Its token is wrong; then its object is missing, or the user may not see it.
    const guest = await signedIn('reseller-a')
    const { form_token = '' } = (await guest.get('/admin/users/2')).fieldsOf('/admin/sign-out')
    for (const token of ['', form_token]) {
      const { status, location } = await guest.answerTo(path, { form_token: token })
      expect([path, status]).toEqual([path, 303])
      if (path === '/admin/sign-out') continue
      const shown = await guest.get(location ?? '')
      const again = await guest.get(location ?? '')
      expect([again.status, again.html]).toEqual([shown.status, shown.html])
    }
  })

  it('after too many attempts leads to a page that says how long to wait', async () => {
    const guest = await signedIn('admin')
    const security = '/admin/users/1/security'
    await guest.send(await guest.get(security), `${security}/app`, {})
    const path = `${security}/app/confirm`
    const fields = { ...(await guest.get(`${security}/app`)).fieldsOf(path), code: '000000' }
    for (const _ of [1, 2]) await guest.answerTo(path, fields)
    const refused = await guest.answerTo(path, fields)
    expect([refused.status, refused.location]).toEqual([
      303,
      expect.stringMatching(/^\/admin\/users\/1\/security\/app\?refused=[\w.-]+$/),
    ])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    for (const _ of [1, 2]) {
      const page = await guest.get(refused.location ?? '')
      expect([page.status, page.html]).toEqual([429, expect.stringMatching(/Try again in \d+ s\./)])
      expect(page.html).toContain(`<a href="${security}/app" data-unsaved>Back to the form</a>`)
    }
  })

  const formType = 'application/x-www-form-urlencoded'
  it.each([
    [413, formType, 'a'.repeat(70_000), undefined, 'A form may have at most 64 KiB. Nothing was changed.'],
    [415, 'application/json', '{}', undefined, `A form is ${formType}.`],
    [503, formType, 'login=admin&password=wrong', problem('unavailable'), 'Try again in a moment.'],
    [500, formType, 'login=admin&password=wrong', new Error('broken'), 'The log has details under '],
  ])(
    'with %d, whoever sends it, leads to a page that needs no database',
    async (status, type, body, error, text) => {
      const user = await signedIn('admin')
      const guest = new Visitor(served.url)
      const signInForms = ['/admin/sign-in', '/admin/sign-in/passkey']
      failure = error
      for (const [visitor, path] of [
        ...forms.map((form) => [user, form] as const),
        ...signInForms.map((form) => [guest, form] as const),
      ]) {
        const { status: answered, location } = await visitor.answerTo(path, body, {
          origin: served.url,
          'content-type': type,
        })
        expect([path, answered]).toEqual([path, 303])
        const url = new URL(location ?? '', served.url)
        for (const _ of [1, 2]) {
          const shown = await visitor.get(location ?? '')
          expect([path, shown.status]).toEqual([path, status])
          expect(shown.html).toContain(text)
          expect(shown.html).toContain(`<a href="${url.pathname}" data-unsaved>Back to the form</a>`)
        }
      }
    },
  )

  it('has a text only if this service has written it, and only at its own address', async () => {
    const user = await signedIn('admin')
    const { location } = await user.answerTo('/admin/resellers', '{}', {
      origin: served.url,
      'content-type': 'application/json',
    })
    const [path, refused = ''] = (location ?? '').split('?refused=')
    expect((await user.get(`/admin/users?refused=${refused}`)).status).toBe(200)
    const [time, text, mac] = refused.split('.')
    const other = Buffer.from('{"form":"/admin/resellers","title":"Pay","status":500,"data":{}}')
    for (const forged of [other.toString('base64url'), `${text}A`])
      expect((await user.get(`${path}?refused=${time}.${forged}.${mac}`)).status).toBe(200)
    // What is signed for this page is no proof of a password.
    const cookie = { cookie: `billing-admin-step=${refused}` }
    const step = await new Visitor(served.url).get('/admin/sign-in/second-step', cookie)
    expect([step.status, step.location]).toEqual([303, '/admin/sign-in?done=late'])
  })
})
