import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  beforeAll(async () => {
    source = await startPostgres()
    // A code may be wrong for one of 200 failures of an address.
    served = await serveAdministration((await source.empty()).database, 400)
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
      expect.stringMatching(/^\/admin\/users\/1\/security\/app\?refused=[\w-]{16}$/),
    ])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    for (const _ of [1, 2]) {
      const page = await guest.get(refused.location ?? '')
      expect([page.status, page.html]).toEqual([429, expect.stringMatching(/Try again in \d+ s\./)])
      expect(page.html).toContain(`<a href="${security}/app" data-unsaved>Back to the form</a>`)
    }
  })
})
