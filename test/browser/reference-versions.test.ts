// @module-tag long

import { describe, expect, it } from 'vitest'
import { axeFindings } from './browser.js'
import { authorize, consoleOf, servedReference, side } from './reference-page.js'

const site = servedReference()
const { open, tryOut } = site

describe('a reader of several versions', () => {
  it('calls the version of the page, and sees if the address has another one', async () => {
    const { page, complaints } = await open(`${site.url}/2.0.0-rc.1/reference/clients.html#clients.get`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByText('Version 2.0.0-rc.1').click()
    const served = page.getByRole('navigation', { name: 'Versions' }).getByRole('listitem')
    await expect
      .poll(() => served.allInnerTexts())
      .toContainEqual(expect.stringMatching(/^1\.1\.0\s+served here$/))
    await page.keyboard.press('Escape')
    await tryOut(page, 'clients.get')
    const form = consoleOf(page, 'clients.get')
    const notice = form.locator('.notice')
    const address = page.locator('dialog').getByLabel('Base URL')
    const call = (url: string) => authorize(page, { 'Base URL': url })
    expect(await address.inputValue()).toBe(`${site.url}/2.0.0-rc.1`)
    expect(await notice.isVisible()).toBe(false)
    await call(site.url)
    await expect
      .poll(() => notice.innerText())
      .toBe(
        'This page describes version 2.0.0-rc.1. The service here has version 1.1.0, and handles calls accordingly.',
      )
    expect(await axeFindings(page)).toEqual([])
    await call('http://127.0.0.1:9')
    await expect.poll(() => notice.isVisible()).toBe(false)
    await call(site.url)
    await expect.poll(() => notice.isVisible()).toBe(true)
    await form.getByLabel('id required').fill('1')
    await form.getByRole('button', { name: 'Add to batch' }).click()
    await page.locator('.batch .notice').waitFor()
    expect(asked.filter((url) => !url.endsWith('/openapi.json'))).toEqual([])
    expect(new Set(asked).size).toBe(asked.length)
    await page.locator('.batch .notice').getByRole('link', { name: '1.1.0' }).click()
    await page.waitForURL(`${site.url}/1.1.0/reference/clients.html#clients.get`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('sees no note if page and service have the same version', async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    const told = page.waitForResponse(`${site.url}/openapi.json`)
    await tryOut(page, 'clients.get')
    await consoleOf(page, 'clients.get').getByRole('button', { name: 'Send', exact: true }).click()
    await (await told).finished()
    await side(page, 'clients.get', 'rest').locator('.body').waitFor()
    expect(await consoleOf(page, 'clients.get').locator('.notice').isVisible()).toBe(false)
    await page.context().close()
  })

  it('finds the time zone of a call, and its location over both protocols', async () => {
    const { page } = await open(`${site.url}/reference/`)
    await page.locator('#search').fill('clients.get __tz')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#clients\.get\/__tz$/)
    const row = page.locator('[id="clients.get/__tz"]')
    expect(await row.locator('.field-head').innerText()).toMatch(/^__tz\s+string · query or body$/)
    expect(await row.innerText()).toMatch(
      /Default: the zone of the user, else that of the system\..*Over JSON-RPC it is one of the params\./s,
    )
    await page.context().close()
  })

  it('reads which operations a change affects, and its schema changes', async () => {
    const { page } = await open(`${site.url}/1.1.0/reference/`)
    const row = page.locator('.changes tr', { hasText: 'Problem.retryAfter' })
    await row.getByText('and 3 more').click()
    await row.getByRole('link', { name: 'lnp.gateways.search' }).click()
    await page.waitForURL(/lnp\.gateways\.html#lnp\.gateways\.search$/)
    await page.goto(`${site.url}/1.1.0/reference/schema.problem.html`)
    const changed = page.locator('.schema .changed')
    await changed.locator('summary').click()
    expect(await changed.locator('li').allInnerTexts()).toEqual([
      'compatible Problem.retryAfter of responses was added (optional)',
    ])
    await page.context().close()
  })

  it('reads what changed since the version before, in place', async () => {
    const { page } = await open(`${site.url}/1.1.0/reference/clients.html`)
    const changed = page.locator('[id="clients.update"] .changed')
    await changed.locator('summary').click()
    expect(await changed.locator('li').allInnerTexts()).toContain(
      'compatible The header parameter If-Match (expected_version over JSON-RPC) was added',
    )
    expect(await changed.locator('li').allInnerTexts()).toContain(
      'info The documentation of PATCH /clients/{id} changed: /description',
    )
    await page.context().close()
  })
})
