import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emit } from '../../generator/emit/emit.js'
import { loadDocument } from '../../generator/load/load.js'
import { contractOf } from '../../generator/mock/contract.js'
import { type Mock, startMock } from '../../generator/mock/server.js'
import { buildModel } from '../../generator/model/build.js'
import { axeFindings, openBrowser } from './browser.js'

const document = `
openapi: 3.1.0
info: { title: Kinds, version: 1.0.0 }
paths:
  /things/{kind}:
    post:
      x-rpc-method: things.make
      parameters:
        - { name: kind, in: path, required: true, schema: { enum: [small, large] } }
        - { name: since, in: query, schema: { type: string, format: date-time } }
        - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [price]
              properties:
                price: { type: number, minimum: 0 }
                isNew: { type: boolean }
                note: { type: [string, 'null'] }
                owner: { type: object, properties: { mail: { type: string, format: email } } }
                extra: { type: object, additionalProperties: { type: integer } }
              example: { price: 1 }
      responses: { '204': { description: Made } }
`

let browser: Browser
let mock: Mock
let page: Page
let form: Locator

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-kinds-'))
  writeFileSync(join(cwd, 'openapi.yaml'), document)
  const loaded = loadDocument('openapi.yaml', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error('The document has no model')
  const contract = await contractOf(await emit(model, loaded.files, 'openapi.yaml'))
  const options = { host: '127.0.0.1', port: 0, seed: '1' }
  ;[browser, mock] = await Promise.all([openBrowser(), startMock(model, contract, options)])
})
afterAll(async () => {
  await browser?.close()
  await mock?.close()
})

beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  await page.goto(`${mock.url}/reference/things.html#things.make`)
  form = page.locator('[data-try="things.make"]')
  await form.locator('> summary').click()
  return () => page.context().close()
})

const field = (name: string) => form.getByLabel(name, { exact: true })
const statuses = () => form.getByRole('status').allInnerTexts()
const faultAt = (name: string) =>
  field(name).evaluate((control) => control.closest('.field')?.querySelector('.wrong')?.textContent)
const params = async () => {
  const shown = await form.getByLabel('Request over JSON-RPC').innerText()
  return JSON.parse(shown.slice(shown.indexOf('{'))).params
}

describe('the form of an operation', () => {
  it('sends values of every kind as what they are', async () => {
    await form.getByLabel('kind required').selectOption('large')
    await field('since').fill('2026-01-01T00:00:00Z')
    await form.getByRole('button', { name: 'Add to ids' }).click()
    await form.getByRole('button', { name: 'Add to ids' }).click()
    await form.getByRole('textbox', { name: 'ids 1' }).fill('7')
    await form.getByRole('textbox', { name: 'ids 2' }).fill('8')
    await form.getByRole('button', { name: 'Remove ids 1' }).click()
    await form.getByLabel('price required').fill('1.50')
    await field('isNew').selectOption('false')
    await field('note null').check()
    await field('mail').fill('a@b.example')
    await field('extra').fill('{"a": 1}')
    await expect.poll(params).toEqual({
      ...{ kind: 'large', since: '2026-01-01T00:00:00Z', ids: [8], price: 1.5, isNew: false },
      ...{ note: null, owner: { mail: 'a@b.example' }, extra: { a: 1 } },
    })
    await form.getByRole('button', { name: 'Send over both' }).click()
    await expect
      .poll(statuses)
      .toEqual([expect.stringMatching(/^204 in \d+ ms$/), expect.stringMatching(/^200 in \d+ ms$/)])
    expect(await axeFindings(page)).toEqual([])
  })

  it('says beside each field what is wrong with it, within objects too', async () => {
    await form.getByLabel('price required').fill('-1')
    await field('mail').fill('nobody')
    await form.getByRole('button', { name: 'Send over both' }).click()
    await expect
      .poll(statuses)
      .toEqual([expect.stringMatching(/^400 in/), expect.stringMatching(/, error -32602$/)])
    await expect.poll(() => faultAt('mail')).toBe('must match format "email"')
    await expect.poll(() => form.getByLabel('price required').getAttribute('aria-invalid')).toBe('true')
  })

  it('sends nothing where JSON is none, and says so', async () => {
    await field('extra').fill('{')
    await expect.poll(() => faultAt('extra')).toMatch(/^extra is no JSON/)
    await form.getByRole('button', { name: 'Send over REST' }).click()
    await expect.poll(statuses).toEqual([expect.stringMatching(/^Not sent\. extra is no JSON/), ''])
    await form.getByRole('button', { name: 'Add to batch' }).click()
    await expect.poll(statuses).toEqual([expect.anything(), expect.stringMatching(/^Not added\./)])
    await expect.poll(() => faultAt('extra')).toMatch(/^extra is no JSON/)
  })
})
