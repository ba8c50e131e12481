import { describe, expect, it } from 'vitest'
import { callCountStore } from '../storage/tables/call-counts.js'
import { administered } from '../testing/administered.js'
import { Visitor } from '../testing/administration.js'
import { startPostgres } from '../testing/databases.js'

describe('tables of the administration area', () => {
  const area = administered(startPostgres)
  const loginsAt = async (path: string) =>
    [...(await area.admin.get(path)).html.matchAll(/users\/\d+"><bdi>([^<]+)<\/bdi><\/a><\/td>/g)].map(
      ([, text]) => text,
    )

  it('sort by a heading, in both directions, and filter', async () => {
    expect(await loginsAt('/admin/users?sort=-login')).toEqual(['reseller-b', 'reseller-a', 'admin'])
    const page = await area.admin.get('/admin/users?sort=-login')
    expect(page.html).toContain('aria-sort="descending"><a href="/admin/users?sort&#x3D;login">Login')
    expect(await loginsAt('/admin/users?sort=-last-sign-in')).toEqual(['admin', 'reseller-a', 'reseller-b'])
    expect((await loginsAt('/admin/users?sort=keys')).length).toBe(3)
    // Phones show no headings: a field of the toolbar sorts there.
    expect(page.html).toContain('<option value="-login" selected>Login, descending</option>')
    expect(await loginsAt('/admin/users?sort=password_hash')).toEqual(['admin', 'reseller-a', 'reseller-b'])
    expect(await loginsAt('/admin/users?role=admin')).toEqual(['admin'])
    expect(await loginsAt('/admin/users?reseller=all')).toEqual(['admin'])
    expect(await loginsAt('/admin/users?state=inactive')).toEqual([])
    const { html } = await area.admin.get('/admin/resellers?sort=-name')
    expect([...html.matchAll(/resellers\/\d+"><bdi>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'Reseller B',
      'Reseller A',
    ])
  })

  it('are saved as CSV with the filter, without formulas', async () => {
    await area.makeUser('', { login: '=cmd', reseller: '2' })
    const file = await area.admin.get('/admin/users.csv?q=cmd&sort=-login')
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="users.csv"')
    const [names, row, rest] = file.html.split('\r\n')
    expect(names).toBe('id,login,role,reseller,time_zone,active,created_at,last_sign_in_at')
    expect(row).toMatch(/^\d+,'=cmd,user,Reseller B,,true,\d{4}-\d\d-\d\dT[\d:.]+Z,$/)
    expect(rest).toBe('')
    expect((await area.admin.get('/admin/resellers.csv?q=Reseller+A')).html).toBe(
      'id,name,users,clients\r\n1,Reseller A,1,3\r\n',
    )
    const guest = new Visitor(area.served.url)
    await guest.signIn('reseller-a', area.served.users.get('reseller-a')?.password ?? '')
    expect((await guest.get('/admin/users.csv')).status).toBe(404)
  })

  it('of the first page show calls by protocol and operation, and the database', async () => {
    const starts = Math.floor(Date.now() / 1000 / 300) * 300
    const times = [40, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    await callCountStore(area.database).add([
      { starts, operation: 'clients.get', protocol: 'rest', calls: 30, errors: 3, refused: 0, times },
      { starts, operation: 'clients.get', protocol: 'jsonrpc', calls: 10, errors: 0, refused: 1, times },
    ])
    const { html } = await area.admin.get('/admin/')
    expect(html).toContain('aria-label="Calls: 40"')
    expect(html).toContain('aria-label="Errors and refusals: 10.0 %"')
    expect(html).toMatch(/<title>\d\d:\d\d: JSON-RPC 10<\/title>/)
    expect(html).toMatch(/PostgreSQL \d+/)
    // One of the 48 half hours has calls.
    expect(html.match(/data-name="From"/g)).toHaveLength(1)
    expect(html).toContain('Times without calls are left out.')
    const one = await area.admin.get('/admin/?protocol=jsonrpc&range=3h')
    expect(one.html).toContain('aria-label="Calls: 10"')
    expect(one.html).not.toMatch(/ style=| on\w+=/)
    expect((await area.admin.get('/admin/?range=%3Cb%3E&protocol=x&operation=x')).status).toBe(200)
  })
})
