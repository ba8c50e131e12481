// @module-tag long
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'

const document = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `/do-${index}`,
      {
        get: {
          ...{ tags: ['all'], 'x-rpc-method': `all.n${index}`, summary: `Number ${index}` },
          parameters: [
            { name: 'size', in: 'query', schema: { type: 'integer' } },
            // The first form is longer than a window.
            ...Array.from({ length: index === 0 ? 12 : 0 }, (_, number) => ({
              ...{ name: `text${number}`, in: 'query', required: true, schema: { type: 'string' } },
            })),
          ],
          responses: { 204: { description: 'd' } },
        },
      },
    ]),
  ),
}

let browser: Browser
let mock: Mock

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(JSON.stringify(document))])
})
afterAll(async () => {
  await mock?.close()
})

const address = (page: string) => new URL(`/reference/${page}`, mock.url).href

it.each([1280, 320])('a reader pages through the operations of a tag (%d pixels)', async (width) => {
  const page = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage()
  await page.goto(address('all.html'))
  const paging = page.getByRole('navigation', { name: 'Pages', exact: true })
  expect(await paging.getByText('Operations').textContent()).toBe('Operations 1–50 of 120')
  await paging.getByRole('link', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Number 50' }).waitFor()
  expect(await page.title()).toBe('All 51–100 · Shop 1.0.0')
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBe(width)
  await page
    .getByRole('navigation', { name: 'Pages, at the end' })
    .getByRole('link', { name: 'Page 3' })
    .click()
  await page.getByRole('heading', { name: 'Number 119' }).waitFor()
  await page.locator('#search').fill('number 77')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toBe(address('all-2.html#all.n77'))
  await page.context().close()
})

it.each([
  [1440, 900],
  [1024, 768],
])('has Send of the first operation in view, however long its form is (%d x %d)', async (width, height) => {
  const page = await (await browser.newContext({ viewport: { width, height } })).newPage()
  await page.goto(address('all.html'))
  const send = page.locator('[data-console="all.n0"]').getByRole('button', { name: 'Send', exact: true })
  await send.waitFor()
  const { bottom } = await send.evaluate((button) => button.getBoundingClientRect().toJSON())
  expect(bottom).toBeLessThan(height)
  await page.context().close()
})

it.each(['all.n77', 'all.n77/size'])(
  'an address from before an operation moved leads to its page: %s',
  async (id) => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(address(`all.html#${id}`))
    await expect.poll(() => page.url()).toBe(address(`all-2.html#${id}`))
    await expect.poll(async () => (await page.locator('[id="all.n77"]').boundingBox())?.y).toBeLessThan(120)
    await page.goBack()
    expect(page.url()).toBe('about:blank')
    await page.context().close()
  },
)
