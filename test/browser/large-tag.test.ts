// @module-tag long
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'

const document = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  tags: [{ name: 'tall', description: 'A line.\n\n'.repeat(8) }],
  paths: {
    '/tall': {
      post: {
        ...{ tags: ['tall'], 'x-rpc-method': 'tall.make', responses: { 204: { description: 'd' } } },
        parameters: Array.from({ length: 12 }, (_, number) => ({
          ...{ name: `text${number}`, in: 'query', required: true, schema: { type: 'string' } },
        })),
      },
    },
    ...Object.fromEntries(
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
  },
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
  ['all', 'all.n0', 1440, 900],
  ['all', 'all.n0', 1024, 768],
  ['tall', 'tall.make', 1440, 900],
  ['tall', 'tall.make', 1024, 768],
])(
  'has Send of the first operation in view, however long its form is, and then the whole window (%s, %s, %d x %d)',
  async (tag, name, width, height) => {
    const page = await (await browser.newContext({ viewport: { width, height } })).newPage()
    await page.goto(address(`${tag}.html`))
    const column = page.locator(`[data-console="${name}"]`)
    const send = column.getByRole('button', { name: 'Send', exact: true })
    await send.waitFor()
    const bottomOf = (part: typeof send) => part.evaluate((each) => each.getBoundingClientRect().bottom)
    await expect.poll(() => bottomOf(send)).toBeLessThan(height)
    // Long enough to scroll, whatever comes after the operation.
    await column.evaluate((each) => {
      const section = each.closest<HTMLElement>('.operation')
      if (section) section.style.minHeight = '300vh'
      scrollBy(0, each.getBoundingClientRect().top)
    })
    const [bar, space, rest] = [56, 12, 40]
    await expect.poll(() => column.evaluate((each) => each.getBoundingClientRect().top)).toBe(bar)
    await expect.poll(() => bottomOf(column)).toBe(height - rest)
    const first = column.getByRole('group', { name: 'Protocol' })
    await column.evaluate((each) => each.scrollTo(0, each.scrollHeight))
    expect((await first.boundingBox())?.y).toBe(bar + space)
    await page.context().close()
  },
)

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
