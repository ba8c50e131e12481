// @module-tag long
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf } from './reference-page.js'

const document = `
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    post:
      x-rpc-method: pets.add
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name, kind]
              properties: { name: { type: string }, kind: { type: string, enum: [cat, dog] }, age: { type: integer } }
            examples:
              cat: { summary: A cat, description: It has **no** age., value: { name: Tom, kind: cat } }
              dog: { summary: A dog, value: { name: Rex, kind: dog, age: 3 } }
      responses:
        '200':
          description: Done
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer } } }
              examples:
                cat: { summary: Cat added, value: { id: 1 } }
                dog: { summary: Dog added, value: { id: 2 } }
`

let browser: Browser
let mock: Mock

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(document)])
})
afterAll(async () => {
  await mock?.close()
})

async function open(javaScriptEnabled = true): Promise<Page> {
  const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
  await page.goto(new URL('/reference/pets.html', mock.url).href)
  return page
}

it('the picked example of the document fills the form, the samples and the response', async () => {
  const page = await open()
  const form = consoleOf(page, 'pets.add')
  const picker = form.getByLabel('Example', { exact: true })
  const sample = form.locator('.samples [data-sample~="curl"][data-over~="rest"] code')
  expect(await picker.locator('option').allTextContents()).toEqual(['A cat', 'A dog'])
  await form.getByText('It has no age.').filter({ visible: true }).waitFor()
  expect(await form.getByLabel('name required').inputValue()).toBe('Tom')
  await picker.selectOption('A dog')
  expect(await form.getByLabel('name required').inputValue()).toBe('Rex')
  expect(await form.getByLabel('age', { exact: true }).inputValue()).toBe('3')
  await expect.poll(() => sample.textContent()).toContain('"age":3')
  const other = form.locator('.answers details[open] pre').filter({ visible: true })
  expect(await other.innerText()).toContain('"id": 2')
  await form.getByRole('button', { name: 'JSON-RPC' }).click()
  expect(await other.innerText()).toMatch(/"jsonrpc": "2.0",.*"result": \{\s*"id": 2/s)
  expect(await form.getByText('It has no age.').filter({ visible: true }).count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await picker.selectOption('A cat')
  expect(await form.locator('.answers details[open]').count()).toBe(0)
  expect(await form.getByLabel('age', { exact: true }).count()).toBe(0)
  await page.context().close()
})

it('every example can be read without script', async () => {
  const page = await open(false)
  for (const [label, text] of [
    ['A dog', '"age": 3'],
    ['Dog added', '"id": 2'],
  ] as const) {
    await page.getByText(label, { exact: true }).click()
    await page.locator('pre').filter({ hasText: text, visible: true }).first().waitFor()
  }
  await page.context().close()
})
