import type { Contract } from 'duet-runtime'
import { consumerHash, type UsageEntry } from 'duet-runtime/usage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../storage/database/database.js'
import { usageStore } from '../storage/tables/usage.js'
import { type ServedAdministration, serveAdministration, Visitor } from '../testing/administration.js'
import { type DatabaseSource, startPostgres } from '../testing/databases.js'
import { consumerOf, saltOf } from '../usage/shadow.js'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const sunset = Math.floor(Date.parse(day(-10)) / 1000)
const contract = {
  version: '1.1.0',
  operations: {
    'jwt.refresh': { name: 'jwt.refresh', deprecation: { sunset } },
    'jwt.authenticate': { name: 'jwt.authenticate', deprecation: { sunset } },
    'clients.get': { name: 'clients.get' },
  },
} as unknown as Contract
const entry = (more: Partial<UsageEntry>): UsageEntry => ({
  day: day(0),
  api: 'Billing',
  version: '1.1.0',
  protocol: 'rest',
  operation: 'clients.get',
  consumer: 'a1b2',
  calls: 1200,
  sampled: 0,
  unattributed: 0,
  last: `${day(0)}T10:00:00Z`,
  hits: {},
  ...more,
})

describe('usage in the administration area', () => {
  let source: DatabaseSource
  let database: Database
  let served: ServedAdministration
  let admin: Visitor
  beforeAll(async () => {
    source = await startPostgres()
    ;({ database } = await source.empty())
    served = await serveAdministration(database, 0, [contract])
    admin = new Visitor(served.url)
    await admin.signIn('admin', served.users.get('admin')?.password ?? '')
  })
  afterAll(async () => {
    await served?.close()
    await source?.stop()
  })

  const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

  it('says so if nothing was counted, and is for administrators', async () => {
    const page = await admin.get('/admin/usage')
    expect(page.status).toBe(200)
    expect(textOf(page.html)).toContain('No calls were counted yet.')
    expect(textOf(page.html)).toContain('In 10 days; no recent calls are recorded')
    const guest = new Visitor(served.url)
    await guest.signIn('reseller-a', served.users.get('reseller-a')?.password ?? '')
    expect((await guest.get('/admin/usage')).status).toBe(404)
  })

  it('keeps the navigation on a page that does not exist, for those who are signed in', async () => {
    const shown = async (visitor: Visitor) => {
      const { status, html } = await visitor.get('/admin/nothing')
      return [status, html.includes('aria-label="Areas"'), html.includes('Sign out')]
    }
    const guest = new Visitor(served.url)
    expect([await shown(admin), await shown(guest)]).toEqual([
      [404, true, true],
      [404, false, false],
    ])
    await guest.signIn('reseller-a', served.users.get('reseller-a')?.password ?? '')
    expect(await shown(guest)).toEqual([404, false, true])
  })

  it('shows who calls what, deprecated operations first, and whether they can end on their sunset date', async () => {
    const [user] = await database.query<{ id: string }>(
      "select id::text from users where login = 'reseller-a'",
    )
    const consumer = consumerHash(saltOf('s'.repeat(32)), consumerOf({ userId: Number(user?.id) }))
    await usageStore(database, 90).record([
      entry({}),
      entry({ day: day(40), last: `${day(40)}T10:00:00Z`, operation: 'jwt.authenticate' }),
      entry({
        operation: 'jwt.refresh',
        protocol: 'jsonrpc',
        consumer,
        calls: 7,
        hits: { f1: { calls: 7, last: `${day(0)}T10:00:00Z` } },
      }),
      entry({ consumer: 'anonymous', calls: 1 }),
      entry({ consumer: 'others', calls: 2 }),
    ])
    const { html } = await admin.get('/admin/usage')
    const text = textOf(html)
    expect(text).toContain(`jwt.refresh ${day(-10)} In 10 days; 1 consumer still calls it, last on ${day(0)}`)
    expect(text).toContain(`jwt.authenticate ${day(-10)} In 10 days; nobody has called it in 30 days`)
    expect(text).toContain(`1.1.0 jwt.refresh deprecated JSON-RPC reseller-a 7 7 ${day(0)}`)
    expect(text).toContain(`1.1.0 clients.get REST a1b2 1,200 0 ${day(0)}`)
    expect(text).toContain('Without credentials 1 0')
    expect(text).toContain('Others together 2 0')
    expect(html).toContain(`<a href="/admin/users/${user?.id}"><bdi>reseller-a</bdi></a>`)
    expect(text.indexOf('jwt.refresh deprecated')).toBeLessThan(text.indexOf('1.1.0 clients.get'))

    const rowsAt = async (query: string) =>
      [...(await admin.get(`/admin/usage?${query}`)).html.matchAll(/data-name="Calls">([\d,]+)</g)].map(
        ([, calls]) => calls,
      )
    expect(await rowsAt('sort=-calls')).toEqual(['1,200', '7', '2', '1'])
    expect(await rowsAt('sort=calls&operation=clients.get')).toEqual(['1', '2', '1,200'])
    expect(await rowsAt('protocol=jsonrpc')).toEqual(['7'])
    expect(await rowsAt('consumer=RESELLER')).toEqual(['7'])
    expect(await rowsAt('version=9')).toEqual([])
    const file = await admin.get('/admin/usage.csv?protocol=jsonrpc')
    expect(file.html.split('\r\n')).toEqual([
      'version,operation,protocol,consumer,deprecated,calls,broken_next,last',
      `1.1.0,jwt.refresh,jsonrpc,reseller-a,true,7,7,${day(0)}T10:00:00Z`,
      '',
    ])
  })

  it('shows the latest 1,000 rows, exports all, and says where more than a file has are', async () => {
    const before = (await admin.get('/admin/usage.csv')).html.split('\r\n').length
    const entries = Array.from({ length: 1100 }, (_, index) => entry({ consumer: `c${index}` }))
    await usageStore(database, 90).record(entries)
    expect(textOf((await admin.get('/admin/usage')).html)).toContain('These are the 1000 latest')
    const file = await admin.get('/admin/usage.csv')
    expect(file.html.split('\r\n')).toHaveLength(before + entries.length)
    const many = Array.from({ length: 10_000 }, (_, index) => entry({ consumer: `d${index}` }))
    await usageStore(database, 90).record(many)
    const refused = await admin.get('/admin/usage.csv?protocol=jsonrpc')
    expect(refused.status).toBe(413)
    expect(textOf(refused.html)).toContain('npm run usage:export writes all.')
  })
})
