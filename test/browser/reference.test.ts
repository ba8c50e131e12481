import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { axeFindings, axeRulesOf, openBrowser } from './browser.js'
import { openReference, side, tryOperation } from './reference-page.js'

let browser: Browser
let service: TestService

beforeAll(async () => {
  ;[browser, service] = await Promise.all([openBrowser(), startServiceHere()])
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  service?.remove()
})

const open = (url: string, options?: BrowserContextOptions) => openReference(browser, url, options)
const tryOut = (page: Page, operation: string) => tryOperation(page, operation, service.user('admin').apiKey)

describe('a newcomer', () => {
  it('finds an operation, tries it over both protocols, reads the error, and switches versions', async () => {
    const { page, complaints } = await open(service.url)
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
    const form = page.locator('[data-try="clients.update"]')
    await form.getByLabel('credit', { exact: true }).fill('plenty')
    await expect
      .poll(() => side(page, 'rest').locator('pre').first().innerText())
      .toContain('"credit": "plenty"')
    await expect
      .poll(() => side(page, 'jsonrpc').locator('pre').first().innerText())
      .toContain('"credit": "plenty"')
    await form.getByRole('button', { name: 'Send over both' }).click()
    await side(page, 'rest')
      .getByText(/^400 in /)
      .waitFor()
    await side(page, 'jsonrpc')
      .getByText(/^200 in /)
      .waitFor()
    await expect.poll(() => side(page, 'rest').locator('.body').innerText()).toContain('validation_failed')
    await expect.poll(() => side(page, 'jsonrpc').locator('.body').innerText()).toContain('"code": -32602')
    const credit = form.getByLabel('credit', { exact: true })
    await expect.poll(() => credit.getAttribute('aria-invalid')).toBe('true')
    expect(await credit.evaluate((input) => input.parentElement?.querySelector('.wrong')?.textContent)).toBe(
      'must be number',
    )
    // The key is sent, and not shown.
    expect(await form.innerText()).not.toContain(service.user('admin').apiKey)

    await credit.fill('12.5')
    await form.getByRole('button', { name: 'Send over both' }).click()
    await side(page, 'rest')
      .getByText(/^200 in /)
      .waitFor()
    await expect.poll(() => side(page, 'jsonrpc').locator('.body').innerText()).toContain('"credit": 12.5')
    await expect.poll(() => side(page, 'rest').locator('.body').innerText()).toContain('"credit": 12.5')
    await expect.poll(() => credit.getAttribute('aria-invalid')).toBeNull()

    await page.getByText('Version 1.1.0').click()
    await page.getByRole('link', { name: '1.0.0' }).click()
    await page.waitForURL(`${service.url}/1.0.0/reference/clients.html#clients.update`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('sends two calls as one batch', { tags: 'long' }, async () => {
    const { page } = await open(`${service.url}/reference/clients.html`)
    await tryOut(page, 'clients.get')
    const form = page.locator('[data-try="clients.get"]')
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
    const { page, complaints } = await open(service.url)
    const document = () => page.evaluate(() => performance.timeOrigin)
    const first = await document()
    await page.getByRole('link', { name: 'clients.get' }).first().click()
    await page.waitForURL(`${service.url}/reference/clients.html#clients.get`)
    await tryOut(page, 'clients.get')
    await page.getByRole('navigation', { name: 'Operations' }).getByText('lnp.gateways').click()
    await page.waitForURL(`${service.url}/reference/lnp.gateways.html`)
    await expect.poll(() => page.title()).toContain('lnp.gateways')
    const form = page.locator('[data-try="lnp.gateways.search"]')
    await form.locator('> summary').click()
    await form.getByRole('button', { name: 'Send over both' }).click()
    await expect.poll(() => side(page, 'rest').locator('.status').innerText()).toMatch(/^200 in /)
    await expect.poll(() => side(page, 'jsonrpc').locator('.body').innerText()).toContain('"result"')

    await page.goBack()
    await page.getByRole('heading', { name: 'clients', exact: true }).waitFor()
    expect(page.url()).toBe(`${service.url}/reference/clients.html#clients.get`)
    expect(await page.locator('.operation:target').getAttribute('id')).toBe('clients.get')
    await page.goBack()
    await page.getByRole('heading', { name: /^Billing Service API/ }).waitFor()
    await page.locator('#search').fill('gateways.search')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/reference/lnp.gateways.html#lnp.gateways.search`)
    await page.getByRole('link', { name: 'Gateway', exact: true }).first().click()
    await page.waitForURL(`${service.url}/reference/lnp.gateways.html#schema-Gateway`)
    expect(await document()).toBe(first)
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
    expect(await axeFindings(page)).toEqual([])

    await page.reload()
    await tryOut(page, 'lnp.gateways.get')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('goes back within a page to the operation that it came from', { tags: 'long' }, async () => {
    const { page } = await open(service.url)
    const top = (name: string) =>
      page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top, name)
    await page.getByRole('link', { name: 'clients.update' }).first().click()
    await page.waitForURL(/#clients\.update$/)
    await expect.poll(() => top('clients.update')).toBeLessThan(100)
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 150)
    await expect.poll(() => top('clients.update')).toBeLessThan(-50)
    const left = await top('clients.update')
    const menu = page.getByRole('navigation', { name: 'Operations' })
    await menu.getByRole('link', { name: 'GET get', exact: true }).click()
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
    const { page } = await open(`${service.url}/reference/clients.html`)
    await tryOut(page, 'clients.update')
    const form = page.locator('[data-try="clients.update"]')
    for (const optional of ['expected_version', 'idempotency_key'])
      expect(await form.getByLabel(optional, { exact: true }).inputValue()).toBe('')
    for (const credit of ['20.5', '21.5']) {
      await form.getByLabel('credit', { exact: true }).fill(credit)
      await form.getByRole('button', { name: 'Send over both' }).click()
      for (const protocol of ['rest', 'jsonrpc'] as const) {
        const { body, status } = {
          body: side(page, protocol).locator('.body'),
          status: side(page, protocol).locator('.status'),
        }
        await expect.poll(() => body.innerText()).toContain(`"credit": ${credit}`)
        await expect.poll(() => status.innerText()).toMatch(/^200 in \d+ ms$/)
      }
    }
    await page.context().close()
  })

  it.each([
    [
      'a service that allows no other origin',
      () => service.url,
      /answers, but does not let pages of other origins read its responses \(CORS\): .*null, because it comes from a file/,
    ],
    ['nothing', () => 'http://127.0.0.1:9', /No response from http:\/\/127\.0\.0\.1:9 has reached/],
  ])('opens the reference as a file, which explains why it cannot call %s', async (_, address, reason) => {
    const file = pathToFileURL('generated/1.1.0/reference/clients.html').href
    const { page, complaints } = await open(file)
    await tryOut(page, 'clients.get')
    const form = page.locator('[data-try="clients.get"]')
    await form.getByLabel('Address of the service').fill(address())
    await form.getByRole('button', { name: 'Send over REST' }).click()
    await side(page, 'rest').getByText(reason).waitFor()
    await page.locator('#search').fill('currencies list')
    await page.keyboard.press('Enter')
    await page.waitForURL(/accounting\.currencies\.html#accounting\.currencies\.list$/)
    expect(complaints.filter((text) => !/CORS policy/.test(text))).toEqual([])
    await page.context().close()
  })
})

describe.each(['light', 'dark'] as const)('pages of the reference, %s', { tags: 'long' }, (colorScheme) => {
  it.each([
    ['index', 1280],
    ['clients', 1280],
    ['index', 320],
    ['clients', 320],
    ['schemas', 320],
    ['iam.auth.jwt', 320],
  ])('%s at %d pixels: axe finds nothing, nothing overflows, nothing moves', async (name, width) => {
    const { page, complaints, moved } = await open(`${service.url}/reference/${name}.html`, {
      colorScheme,
      viewport: { width, height: 800 },
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await moved()).toEqual([])
    if (name === 'clients') await tryOut(page, 'clients.update')
    await page.locator('#search').fill('clients')
    await page.getByRole('option').first().waitFor()
    expect(await axeFindings(page, axeRulesOf(colorScheme))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

it.each(['index', 'clients', 'schemas'])(
  'moves nothing of %s while a slow machine reads it',
  {
    tags: 'long',
  },
  async (name) => {
    // Too slow a machine to parse the page before its first frame.
    const { page, moved } = await open('about:blank')
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    for (let load = 0; load < 3; load++) {
      await page.goto(`${service.url}/reference/${name}.html`)
      expect(await moved()).toEqual([])
    }
    await page.context().close()
  },
)

it('lists results in low rows, even with long paths', async () => {
  const { page } = await open(`${service.url}/reference/index.html`)
  await page.locator('#search').fill('clients')
  await page.getByRole('option').first().waitFor()
  const rows = await page.getByRole('option').evaluateAll((options) =>
    options.map((option) => {
      const path = option.querySelector('.found-path')
      if (path === null) return 0
      path.textContent = `GET /${'accounting/{accounting_id}/'.repeat(2)}currencies`
      const [lines, room] = [path.getClientRects(), option.getBoundingClientRect().width]
      return (lines[0]?.width ?? 0) <= room ? (lines[0]?.height ?? 0) : Number.POSITIVE_INFINITY
    }),
  )
  // One line next to the name or below it.
  expect(Math.max(...rows)).toBeLessThan(30)
  await page.context().close()
})

it('shows how many more results there are, also to a screen reader', {
  tags: 'long',
}, async () => {
  const { page } = await open(`${service.url}/reference/index.html`)
  await page.locator('#search').fill('e')
  await page.getByRole('option').first().waitFor()
  expect(await page.locator('#found [role=option]').count()).toBe(20)
  const [told, count] = await Promise.all([
    page.locator('#found-count').innerText(),
    page.locator('#found .found-cut').innerText(),
  ])
  expect(told).toMatch(/^First 20 of [2-9]\d+$/)
  expect(count).toBe(told)
  expect(await page.locator('#found .found-cut').isVisible()).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

it.each([
  ['not_found', /\/reference\/index\.html#error-not_found$/],
  ['X-Api-Key', /\/reference\/index\.html#schemes-title$/],
  ['time zone', /\/reference\/index\.html#protocols-title$/],
  ['retryAfter', /\/reference\/schemas\.html#schema-Problem$/],
  ['If-Match', /\/reference\/clients\.html#clients\.update$/],
])('search leads from %s to where it is explained', async (text, place) => {
  const { page } = await open(`${service.url}/reference/clients.html`)
  await page.locator('#search').fill(text)
  await page.keyboard.press('Enter')
  await page.waitForURL(place)
  await page.context().close()
})

it('prints without controls, and with folded parts open', async () => {
  const { page } = await open(`${service.url}/reference/clients.html`)
  await page.emulateMedia({ media: 'print' })
  for (const gone of ['#search', '.versions', '.sidebar', '.theme'])
    expect([gone, await page.locator(gone).isVisible()]).toEqual([gone, false])
  const change = page.locator('.changed li').first()
  expect(await change.evaluate((item) => item.checkVisibility())).toBe(true)
  const [left, paper] = await page.evaluate(() => {
    const { left, width } = document.querySelector('main')?.getBoundingClientRect() ?? new DOMRect()
    return [left, width / innerWidth]
  })
  expect([left, paper]).toEqual([0, 1])
  await page.context().close()
})

it('breaks a long name only after dots and slashes, and after underscores of a long part', async () => {
  const { page } = await open(`${service.url}/reference/index.html`)
  const row = page.locator('.operations tr', { hasText: 'accounting.currencies.get_rate' })
  expect(await row.locator('th a').innerHTML()).toBe('accounting.<wbr>currencies.<wbr>get_rate')
  expect(await row.locator('td code').innerHTML()).toMatch(
    / \/accounting\/<wbr>currencies\/<wbr>exchange-rate$/,
  )
  await page.context().close()
})

it('is readable without script', async () => {
  const { page } = await open(`${service.url}/reference/clients.html`, { javaScriptEnabled: false })
  expect(await page.locator('h2').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining('clients.update')]),
  )
  expect(await page.getByText('Try it').first().isVisible()).toBe(false)
  expect(await page.locator('.menu a').first().isVisible()).toBe(true)
  await page.context().close()
})
