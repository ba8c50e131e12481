// @module-tag long

import { describe, expect, it } from 'vitest'
import { axeFindings, axeRulesOf } from './browser.js'
import { consoleOf, servedReference } from './reference-page.js'

const site = servedReference()
const { open, tryOut } = site

describe.each(['light', 'dark'] as const)('pages of the reference, %s', (colorScheme) => {
  it.each([
    ['index', 1280],
    ['clients', 1280],
    ['index', 320],
    ['clients', 320],
    ['schemas', 320],
    ['schema.gateway', 1280],
    ['schema.gateway', 320],
    ['clients', 1024],
    ['iam.auth.jwt', 320],
  ])('%s at %d pixels: axe finds nothing, nothing overflows, nothing moves', async (name, width) => {
    const { page, complaints, moved } = await open(`${site.url}/reference/${name}.html`, {
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
  async (name) => {
    // Too slow a machine to parse the page before its first frame.
    const { page, moved } = await open('about:blank')
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    for (let load = 0; load < 3; load++) {
      await page.goto(`${site.url}/reference/${name}.html`)
      expect(await moved()).toEqual([])
    }
    await page.context().close()
  },
)

it('keeps the marks of a list within the page if the text runs from right to left', async () => {
  const { page } = await open(`${site.url}/reference/index.html`, { viewport: { width: 390, height: 800 } })
  const paddings = await page.locator('.about .head').evaluate((head) => {
    head.insertAdjacentHTML('beforeend', '<div class="said" dir="rtl"><ul><li>عنصر</li></ul></div>')
    const list = head.querySelector('.said:last-child ul')
    const { paddingLeft, paddingRight } = list === null ? head.style : getComputedStyle(list)
    return [paddingLeft, Number.parseFloat(paddingRight) > 0]
  })
  expect(paddings).toEqual(['0px', true])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.context().close()
})

it('shows a long text of an answer whole on a phone', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`, { viewport: { width: 390, height: 844 } })
  const block = page.locator('.answers pre').first()
  const isCut = await block.evaluate((pre) => {
    const code = pre.querySelector('code')
    if (code !== null)
      code.textContent = JSON.stringify({ text: 'long '.repeat(80), token: 'x'.repeat(400) }, null, 2)
    return pre.scrollWidth > pre.clientWidth
  })
  expect(isCut).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.context().close()
})

it.each(['clients', 'schema.client'])('has each part of a head below the one before: %s', async (name) => {
  const { page } = await open(`${site.url}/reference/${name}.html`, {
    viewport: { width: 1440, height: 900 },
  })
  const boxes = await page
    .locator('.operation .head')
    .first()
    .evaluate((head) =>
      Array.from(head.children, (part) => part.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, bottom }) => ({
          top,
          bottom,
        })),
    )
  for (const [index, { top }] of boxes.slice(1).entries())
    expect(top).toBeGreaterThanOrEqual(boxes[index]?.bottom ?? 0)
  await page.context().close()
})

it('lists results in low rows, even with long paths', async () => {
  const { page } = await open(`${site.url}/reference/index.html`)
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

it('shows how many more results there are, also to a screen reader', async () => {
  const { page } = await open(`${site.url}/reference/index.html`)
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

it('search leads to where a word is explained', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`)
  for (const [text, place] of [
    ['not_found', /\/reference\/index\.html#error-not_found$/],
    ['X-Api-Key', /\/reference\/index\.html#authentication$/],
    ['time zone', /\/reference\/index\.html#protocols$/],
    ['retryAfter', /\/reference\/schema\.problem\.html/],
    ['If-Match', /\/reference\/clients\.html#clients\.update\/If-Match$/],
    ['clients.get name', /\/reference\/clients\.html#clients\.get\/name$/],
    ['curency rate', /\/reference\/accounting\.currencies\.html#accounting\.currencies\.get_rate$/],
  ] as const) {
    await page.locator('#search').fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(place)
  }
  await page.context().close()
})

it('prints without controls, and with folded parts open', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`)
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
  const { page } = await open(`${site.url}/reference/index.html`)
  const row = page.locator('.lines li', { hasText: 'accounting.currencies.get_rate' })
  expect(await row.locator('code').innerHTML()).toBe('accounting.<wbr>currencies.<wbr>get_rate')
  await page.context().close()
})

it('writes what a reader types into the samples of every language and protocol', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`)
  const form = consoleOf(page, 'clients.update')
  await form.scrollIntoViewIfNeeded()
  const texts = () => form.locator('.samples .block:not([data-sample=http]) code').allTextContents()
  const before = await texts()
  const { page: plain } = await open(page.url(), { javaScriptEnabled: false })
  expect(await consoleOf(plain, 'clients.update').locator('.samples .block code').allTextContents()).toEqual(
    expect.arrayContaining(before),
  )
  await plain.context().close()
  const example = await form.evaluate(
    (place) => JSON.parse(place.querySelector('script[data-operation]')?.textContent ?? '{}').example,
  )
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  const json = form.getByLabel('Parameters as JSON')
  await json.fill(JSON.stringify({ ...example, name: 'Typed & sent' }))
  await expect.poll(async () => (await texts()).every((text) => text.includes('Typed & sent'))).toBe(true)
  // One code writes both: the page's example gives the page's samples again.
  await json.fill(JSON.stringify(example))
  await expect.poll(texts).toEqual(before)
  await page.context().close()
})

it('stays where the address leads while parts above get their heights, and marks it in the menu', async () => {
  const { page } = await open(`${site.url}/reference/index.html#changelog`)
  const title = page.getByRole('heading', { name: 'Changed since' })
  const top = () => title.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const padding = await page.evaluate(() =>
    Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
  )
  const marked = page.locator('.menu [aria-current="location"]')
  await expect.poll(top).toBe(padding)
  await expect.poll(() => marked.allInnerTexts()).toEqual(['Changelog'])
  await page.getByRole('link', { name: 'Errors and limits' }).click()
  await expect.poll(() => marked.allInnerTexts()).toEqual(['Errors and limits'])
  await page.goto(`${site.url}/reference/index.html`)
  await page.locator('.console').waitFor()
  expect(await marked.count()).toBe(0)

  // Without a new document, from another page.
  await page.getByRole('link', { name: 'Clients' }).first().click()
  await page.waitForURL(/clients\.html/)
  await page.getByRole('link', { name: 'Changelog' }).click()
  await expect.poll(top).toBe(padding)
  await page.context().close()
})

it('marks the operation that fills the window, below the end of another', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`)
  await page
    .locator('[id="clients.get"]')
    .evaluate((own) => scrollBy(0, own.getBoundingClientRect().top - 220))
  const marked = page.locator('.menu [aria-current="location"] .operation-name')
  await expect.poll(() => marked.allInnerTexts()).toEqual(['clients.get'])
  await page.context().close()
})

it('has a low bar on phones, with the name, the search, and a menu for the rest', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`, { viewport: { width: 390, height: 800 } })
  const bar = page.locator('.bar')
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(64)
  const [name, search] = [bar.locator('.brand'), bar.locator('#search')]
  const authorize = bar.getByRole('button', { name: 'Authorize' })
  const isShown = async () =>
    Promise.all([name, search, authorize, bar.locator('.versions summary')].map((each) => each.isVisible()))
  expect(await isShown()).toEqual([true, true, false, false])
  await search.fill('rate')
  // The typed text gets the room of the name.
  expect(await isShown()).toEqual([false, true, false, false])
  const found = page.getByRole('listbox')
  const box = await found.boundingBox()
  expect([box?.x, box && box.x + box.width]).toEqual([16, 374])
  await search.press('Escape')
  await search.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(isShown).toEqual([true, true, true, true])
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(isShown).toEqual([true, true, false, false])
  await page.keyboard.press('Enter')
  await authorize.click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const hidden = dialog.locator('[hidden]')
  expect(await hidden.evaluateAll((all) => all.filter((one) => one.checkVisibility()))).toEqual([])
  await page.context().close()
})

it('opens the menu of phones at the current page', async () => {
  const { page } = await open(`${site.url}/reference/lnp.gateways.html`, {
    viewport: { width: 390, height: 400 },
  })
  await page.locator('.menu > summary').click()
  await expect
    .poll(() =>
      page.locator('.menu .namespace[aria-current]').evaluate((current) => {
        const [link, menu] = [current, current.closest('.menu')].map((one) => one?.getBoundingClientRect())
        return (link?.top ?? 0) >= (menu?.top ?? 0) && (link?.bottom ?? 0) <= (menu?.bottom ?? 0)
      }),
    )
    .toBe(true)
  await page.context().close()
})

it('is readable without script', async () => {
  const { page } = await open(`${site.url}/reference/clients.html`, { javaScriptEnabled: false })
  expect(await page.locator('h2').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining('Update a client')]),
  )
  expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(false)
  const samples = consoleOf(page, 'clients.get').locator('.samples .block')
  expect(await samples.evaluateAll((all) => all.every((each) => each.checkVisibility()))).toBe(true)
  expect(await page.locator('.menu a').first().isVisible()).toBe(true)
  await page.context().close()
})
