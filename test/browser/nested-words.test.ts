// @module-tag long
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf } from './reference-page.js'

const document = `
openapi: 3.1.1
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
              required: [owner]
              properties:
                owner:
                  type: object
                  required: [name, plan, country]
                  properties:
                    name: { type: string }
                    plan: { type: string, enum: [free, paid] }
                    country: { type: string, enum: [de, fr], default: fr }
                    note: { type: string }
      responses: { '204': { description: Added } }
`

let browser: Browser
let mock: Mock

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(document)])
})
afterAll(async () => {
  await mock?.close()
})

it('asks for what the document has no value of, in a required object too, and sends no word', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/pets.html', mock.url).href)
  const form = consoleOf(page, 'pets.add')
  const sample = form.locator('.samples [data-sample~="curl"][data-over~="rest"] code')
  const written = '{"owner":{"name":"NAME","plan":"PLAN","country":"fr"}}'
  await expect.poll(() => sample.textContent()).toContain(written)
  expect(await form.getByLabel('name required').inputValue()).toBe('')
  const plan = form.getByLabel('plan required')
  expect(await plan.locator('option:checked').textContent()).toBe('Choose')
  expect(await form.getByLabel('country required').locator('option:checked').textContent()).toBe('fr')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await form.locator('.live:visible .status', { hasText: /^Not sent/ }).waitFor()
  expect(await form.locator('.field .wrong:not(:empty)').allTextContents()).toEqual([
    'enter a value',
    'enter a value',
  ])
  expect(
    await form.getByLabel('name required').evaluate((input) => input === window.document.activeElement),
  ).toBe(true)
  await form.getByLabel('name required').fill('Ann')
  await plan.selectOption('paid')
  await expect
    .poll(() => sample.textContent())
    .toContain('{"owner":{"name":"Ann","plan":"paid","country":"fr"}}')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await form.locator('.live:visible .status', { hasText: /^204/ }).waitFor()
  await page.context().close()
})
