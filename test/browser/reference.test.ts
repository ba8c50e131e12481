import { pathToFileURL } from 'node:url'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFindings } from './browser.js'
import { authorize, consoleOf, over, servedReference, side } from './reference-page.js'

const site = servedReference()
const { open, tryOut } = site

describe('a newcomer', () => {
  it('finds an operation, tries it over each protocol, reads the error, and switches versions', async () => {
    const { page, complaints } = await open(site.url)
    // By keyboard alone.
    await page.keyboard.press('/')
    await page.keyboard.type('credit')
    const found = page.getByRole('option')
    await found.first().waitFor()
    expect(await found.allInnerTexts()).toContainEqual(expect.stringContaining('field credit'))
    await page.locator('#search').fill('clients.upd')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/reference\/clients\.html#clients\.update$/)

    await tryOut(page, 'clients.update')
    const form = consoleOf(page, 'clients.update')
    await form.getByText(/optional fields$/).click()
    await form.getByLabel('credit', { exact: true }).fill('plenty')
    for (const protocol of ['REST', 'JSON-RPC'])
      await expect
        .poll(() => form.getByLabel(`Request over ${protocol}`).textContent())
        .toContain('"credit": "plenty"')
    // A change is sent once: no button sends it over both.
    expect(await form.getByRole('button', { name: 'Compare REST and JSON-RPC' }).count()).toBe(0)
    const send = () => form.getByRole('button', { name: 'Send', exact: true }).click()
    await send()
    await side(page, 'clients.update', 'rest')
      .getByText(/^400 in /)
      .waitFor()
    const body = (protocol: 'rest' | 'jsonrpc') =>
      side(page, 'clients.update', protocol).locator('.body').innerText()
    await expect.poll(() => body('rest')).toContain('validation_failed')
    const credit = form.getByLabel('credit', { exact: true })
    await expect.poll(() => credit.getAttribute('aria-invalid')).toBe('true')
    expect(await credit.evaluate((input) => input.parentElement?.querySelector('.wrong')?.textContent)).toBe(
      'must be number',
    )
    await over(form, 'JSON-RPC')
    await send()
    await expect.poll(() => body('jsonrpc')).toContain('"code": -32602')
    // The key is sent, and not shown.
    expect(await form.textContent()).not.toContain(site.apiKey)

    await credit.fill('12.5')
    await send()
    await expect.poll(() => body('jsonrpc')).toContain('"credit": 12.5')
    await expect.poll(() => credit.getAttribute('aria-invalid')).toBeNull()
    await over(form, 'REST')
    await send()
    await expect.poll(() => body('rest')).toContain('"credit": 12.5')

    await page.getByText('Version 1.1.0').click()
    await page.getByRole('link', { name: '1.0.0' }).click()
    await page.waitForURL(`${site.url}/1.0.0/reference/clients.html#clients.update`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('gets from the start page to a call over each protocol in eight clicks', async () => {
    const { page, complaints } = await open(site.url)
    let clicks = 0
    const click = async (place: Locator) => {
      clicks += 1
      await place.click()
    }
    await click(page.locator('.lines').getByRole('link', { name: 'Get a client' }))
    await page.waitForURL(/#clients\.get$/)
    const form = consoleOf(page, 'clients.get')
    const answer = (protocol: 'rest' | 'jsonrpc' | 'mcp') => side(page, 'clients.get', protocol)
    const send = form.getByRole('button', { name: 'Send', exact: true })
    await click(send)
    // A refusal for want of a key leads to its field.
    await click(answer('rest').getByRole('button', { name: 'Add credentials' }))
    await expect
      .poll(() =>
        page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent),
      )
      .toBe('apiKey')
    await page.keyboard.type(site.apiKey)
    await page.keyboard.press('Enter')
    await click(send)
    await answer('rest')
      .getByText(/^200 in /)
      .waitFor()
    const box = await answer('rest').boundingBox()
    expect((box?.y ?? 0) + 60).toBeLessThan(page.viewportSize()?.height ?? 0)
    for (const [name, protocol] of [
      ['JSON-RPC', 'jsonrpc'],
      ['MCP', 'mcp'],
    ] as const) {
      await click(form.getByRole('group', { name: 'Protocol' }).getByRole('button', { name }))
      await click(send)
      await answer(protocol)
        .getByText(/^200 in \d+ ms$/)
        .waitFor()
    }
    expect(clicks).toBe(8)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('gets to a call over each protocol by keyboard alone', { tags: 'long' }, async () => {
    const { page, complaints } = await open(site.url)
    const press = (key: string) => page.keyboard.press(key)
    const form = consoleOf(page, 'clients.get')
    /** Tabs, forwards or backwards, until the element has the focus. */
    const reach = async (place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
      await place.waitFor()
      const isReached = () => place.evaluate((one) => one === document.activeElement)
      for (let count = 0; count < 80 && !(await isReached()); count += 1) await press(key)
      expect(await isReached()).toBe(true)
      await press('Enter')
    }
    await press('/')
    await page.keyboard.type('clients.get')
    await press('Enter')
    await page.waitForURL(/#clients\.get$/)
    const send = form.getByRole('button', { name: 'Send', exact: true })
    const answer = (protocol: 'rest' | 'jsonrpc') => side(page, 'clients.get', protocol)
    await reach(send)
    // The refusal has the focus on what leads to the key's field, and the closed dialog on what sends again.
    const lead = answer('rest').getByRole('button', { name: 'Add credentials' })
    await expect.poll(() => lead.evaluate((one) => one === document.activeElement)).toBe(true)
    await press('Enter')
    await page.keyboard.type(site.apiKey)
    await press('Enter')
    await expect.poll(() => send.evaluate((one) => one === document.activeElement)).toBe(true)
    await press('Enter')
    await answer('rest')
      .getByText(/^200 in /)
      .waitFor()
    await reach(
      form.getByRole('group', { name: 'Protocol' }).getByRole('button', { name: 'JSON-RPC' }),
      'Shift+Tab',
    )
    await reach(send)
    await answer('jsonrpc')
      .getByText(/^200 in /)
      .waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('compares a read over both protocols', { tags: 'long' }, async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    await tryOut(page, 'clients.get')
    const form = consoleOf(page, 'clients.get')
    await form.getByRole('button', { name: 'Compare REST and JSON-RPC' }).click()
    await form.getByText('Both return the same result.').waitFor()
    for (const protocol of ['rest', 'jsonrpc'] as const)
      expect(await side(page, 'clients.get', protocol).locator('.body').isVisible()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await page.context().close()
  })

  it('remembers protocol and language on every page, and no credentials', { tags: 'long' }, async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    await tryOut(page, 'clients.get')
    const form = consoleOf(page, 'clients.get')
    await over(form, 'JSON-RPC')
    await form.getByRole('button', { name: 'TypeScript' }).click()
    await page.goto(`${site.url}/reference/lnp.gateways.html`)
    const other = consoleOf(page, 'lnp.gateways.search')
    const shown = other.locator('.samples .block:visible')
    expect(await shown.count()).toBe(1)
    expect(await shown.innerText()).toContain('import { apiKey, createClient, jsonrpc }')
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual([
      'duet-language',
      'duet-protocol',
    ])
    await page.context().close()
  })

  it('shows where facts come from only if asked', { tags: 'long' }, async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    const notes = page.locator('.provenance')
    expect(await notes.first().isVisible()).toBe(false)
    await page.getByLabel('Show where facts come from').check()
    expect(await notes.first().isVisible()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await page.context().close()
  })

  it('sends two calls as one batch', { tags: 'long' }, async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    await tryOut(page, 'clients.get')
    const form = consoleOf(page, 'clients.get')
    await form.getByLabel('id required').fill('1')
    await form.getByRole('button', { name: 'Add to batch' }).click()
    await form.getByLabel('id required').fill('999999')
    await form.getByRole('button', { name: 'Add to batch' }).click()
    await page.getByText('JSON-RPC batch of 2').waitFor()
    await page.getByRole('button', { name: 'Send batch' }).click()
    const answer = page.getByLabel('Batch response')
    await answer.waitFor()
    const answers = JSON.parse(await answer.innerText()) as { result?: unknown; error?: { code: number } }[]
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32004])
    await page.context().close()
  })

  it('keeps the key across pages in memory only', {
    tags: 'long',
  }, async () => {
    const { page, complaints } = await open(site.url)
    const document = () => page.evaluate(() => performance.timeOrigin)
    const first = await document()
    await page.getByRole('link', { name: 'clients.get' }).first().click()
    await page.waitForURL(`${site.url}/reference/clients.html#clients.get`)
    await tryOut(page, 'clients.get')
    await page.getByRole('navigation', { name: 'Reference' }).getByText('LNP').click()
    await page.waitForURL(`${site.url}/reference/lnp.gateways.html`)
    await expect.poll(() => page.title()).toContain('LNP')
    const form = consoleOf(page, 'lnp.gateways.search')
    await form.scrollIntoViewIfNeeded()
    await form.getByRole('button', { name: 'Compare REST and JSON-RPC' }).click()
    const answer = (protocol: 'rest' | 'jsonrpc') => side(page, 'lnp.gateways.search', protocol)
    await expect.poll(() => answer('rest').locator('.status').innerText()).toMatch(/^200 in /)
    await expect.poll(() => answer('jsonrpc').locator('.body').innerText()).toContain('"result"')

    await page.goBack()
    await page.getByRole('heading', { name: 'Clients', exact: true }).waitFor()
    expect(page.url()).toBe(`${site.url}/reference/clients.html#clients.get`)
    expect(await page.locator('.operation:target').getAttribute('id')).toBe('clients.get')
    await page.goBack()
    await page.getByRole('heading', { name: /^Billing Service API/ }).waitFor()
    await page.locator('#search').fill('gateways.search')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/reference/lnp.gateways.html#lnp.gateways.search`)
    await page.getByRole('link', { name: 'Gateway', exact: true }).first().click()
    await page.waitForURL(`${site.url}/reference/schema.gateway.html`)
    expect(await document()).toBe(first)
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
    expect(await axeFindings(page)).toEqual([])

    await page.reload()
    await page.locator('.bar').getByRole('button', { name: 'Authorize' }).click()
    expect(await page.getByRole('dialog').getByLabel('apiKey', { exact: true }).inputValue()).toBe('')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('goes back within a page to the operation that it came from', { tags: 'long' }, async () => {
    const { page } = await open(site.url)
    const top = (name: string) =>
      page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top, name)
    await page.getByRole('link', { name: 'clients.update' }).first().click()
    await page.waitForURL(/#clients\.update$/)
    await expect.poll(() => top('clients.update')).toBeLessThan(100)
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 150)
    await expect.poll(() => top('clients.update')).toBeLessThan(-50)
    const left = await top('clients.update')
    const menu = page.getByRole('navigation', { name: 'Reference' })
    await menu.getByRole('link', { name: 'Get a client' }).click()
    await page.waitForURL(/#clients\.get$/)
    await expect.poll(() => top('clients.get')).toBeGreaterThan(0)
    await expect.poll(() => top('clients.get')).toBeLessThan(100)
    const read = await top('clients.get')

    await page.goBack()
    await page.waitForURL(/#clients\.update$/)
    await expect.poll(() => top('clients.update')).toBe(left)
    expect(await page.locator('.operation:target').getAttribute('id')).toBe('clients.update')
    await page.goForward()
    await expect.poll(() => top('clients.get')).toBe(read)
    await page.goBack()
    await page.goBack()
    await page.getByRole('heading', { name: /^Billing Service API/ }).waitFor()
    await page.goForward()
    await expect.poll(() => top('clients.update')).toBe(left)
    await page.context().close()
  })

  it('sends two changes in a row without leftovers of the first', { tags: 'long' }, async () => {
    const { page } = await open(`${site.url}/reference/clients.html`)
    await tryOut(page, 'clients.update')
    const form = consoleOf(page, 'clients.update')
    await form.getByText(/optional fields$/).click()
    for (const optional of ['expected_version', 'idempotency_key'])
      expect(await form.getByLabel(optional, { exact: true }).inputValue()).toBe('')
    for (const [protocol, name] of [
      ['rest', 'REST'],
      ['jsonrpc', 'JSON-RPC'],
    ] as const) {
      await over(form, name)
      for (const credit of ['20.5', '21.5']) {
        await form.getByLabel('credit', { exact: true }).fill(credit)
        await form.getByRole('button', { name: 'Send', exact: true }).click()
        const answer = side(page, 'clients.update', protocol)
        await expect.poll(() => answer.locator('.body').innerText()).toContain(`"credit": ${credit}`)
        await expect.poll(() => answer.locator('.status').innerText()).toMatch(/^200 in \d+ ms$/)
      }
    }
    await page.context().close()
  })

  it.each([
    [
      'a service that allows no other origin',
      () => site.url,
      /answers, but does not let pages of other origins read its responses \(CORS\): .*null, because it comes from a file/,
    ],
    ['nothing', () => 'http://127.0.0.1:9', /No response from http:\/\/127\.0\.0\.1:9 has reached/],
  ])('opens the reference as a file, which explains why it cannot call %s', async (_, address, reason) => {
    const file = `${pathToFileURL('generated/1.1.0/reference/clients.html').href}#clients.get`
    const { page, complaints } = await open(file)
    await authorize(page, { 'Base URL': address(), apiKey: site.apiKey })
    await consoleOf(page, 'clients.get').getByRole('button', { name: 'Send', exact: true }).click()
    await side(page, 'clients.get', 'rest').getByText(reason).waitFor()
    await page.locator('#search').fill('currencies list')
    await page.keyboard.press('Enter')
    await page.waitForURL(/accounting\.currencies\.html#accounting\.currencies\.list$/)
    expect(complaints.filter((text) => !/CORS policy/.test(text))).toEqual([])
    await page.context().close()
  })
})
