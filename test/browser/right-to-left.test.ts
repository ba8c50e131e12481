// @module-tag long
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf } from './reference-page.js'

const description = `
openapi: 3.1.0
info: { title: واجهة, version: 1.0.0 }
paths:
  /العملاء/{المعرف}/سجل:
    get:
      x-rpc-method: c.get
      parameters:
        - { in: path, name: المعرف, required: true, schema: { type: integer, example: 7 } }
        - { in: query, name: عملة, schema: { type: string, enum: [ريال, دولار] } }
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, properties: { اسم: { type: string } } }
              example: { اسم: محمد }
`

let browser: Browser
let mock: Mock

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(description)])
})
afterAll(async () => {
  await mock?.close()
})

// Words are written from right to left, what they are parts of from left to right: a path, JSON, a list of values.
it('keeps the order of path segments, names and values that are written from right to left', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/c.html', mock.url).href)
  const operation = page.locator('section.operation')
  const path = ['العملاء', 'المعرف', 'سجل']
  expect(await fromLeft(operation.locator('dl.names code').first(), path)).toEqual(path)
  const field = ['عملة', 'ريال', 'دولار']
  expect(await fromLeft(operation.locator('.fields li', { hasText: 'عملة' }).first(), field)).toEqual(field)
  const cards = consoleOf(page, 'c.get')
  const sample = cards.locator('.samples [data-sample~="curl"][data-over~="rest"] code')
  await expect.poll(() => sample.textContent()).toContain('"$BASE_URL/العملاء/7/سجل"')
  const url = ['BASE_URL', 'العملاء', '7', 'سجل']
  expect(await fromLeft(sample, url)).toEqual(url)
  const body = ['اسم', 'محمد']
  const example = cards.locator('.answers [data-status="200"][data-over~="rest"] code')
  expect(await fromLeft(example, body)).toEqual(body)

  await page.locator('#search').fill('c.get')
  expect(await fromLeft(page.locator('#found .found-path').last(), path)).toEqual(path)
  await page.context().close()
})

it('keeps that order without scripts', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(new URL('/reference/c.html', mock.url).href)
  const body = ['اسم', 'محمد']
  const example = page.locator('.answers [data-status="200"][data-over~="rest"] code')
  expect(await fromLeft(example, body)).toEqual(body)
  await page.context().close()
})

/** Texts in the order in which they are seen. */
async function fromLeft(place: Locator, texts: readonly string[]): Promise<string[]> {
  return await place.evaluate((root, wanted) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const seen: { text: string; left: number }[] = []
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode())
      for (const text of wanted) {
        const at = (node.textContent ?? '').indexOf(text)
        if (at === -1 || seen.some((one) => one.text === text)) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + text.length)
        seen.push({ text, left: range.getBoundingClientRect().left })
      }
    return seen.sort((a, b) => a.left - b.left).map(({ text }) => text)
  }, texts)
}
