// @module-tag long
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf, over } from './reference-page.js'

const document = `
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /owners/{owner}/pets:
    post:
      x-rpc-method: pets.add
      parameters: [{ name: owner, in: path, required: true, example: tom, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Pet' }
            example: { kind: dog, tricks: [sit] }
      responses: { '204': { description: Done } }
  /talks:
    post:
      x-rpc-method: talks.begin
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [messages]
              additionalProperties: { type: integer }
              properties: { messages: { type: array, items: { $ref: '#/components/schemas/Message' } } }
            example: { messages: [{ role: user, content: Hello }] }
      responses: { '204': { description: Done } }
  /orders:
    post:
      x-rpc-method: orders.add
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties: { lines: { type: array, items: { $ref: '#/components/schemas/Line' } } }
            example: { lines: [{ code: A, size: S }, { code: B, size: M }, { code: C, size: L }, { code: D, size: L }] }
      responses: { '204': { description: Done } }
  /shops/{shopId}:
    get:
      x-rpc-method: shops.get
      parameters: [{ name: shopId, in: path, required: true, schema: { type: string, maxLength: 40 } }]
      responses: { '204': { description: Done } }
  /oauth2/token#refresh:
    post: { summary: Create token, x-rpc-method: tokens.refresh, responses: { '204': { description: Done } } }
  /oauth2/token:
    post: { summary: Create token, x-rpc-method: tokens.make, responses: { '204': { description: Done } } }
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } }
    Base: { type: object, required: [kind], properties: { kind: { type: string }, age: { type: integer } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, required: [lives], properties: { lives: { type: integer } } }] }
    Dog: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { tricks: { type: array, items: { type: string } } } }] }
    Colour: { type: string, enum: [red] }
    Line: { type: object, properties: { code: { type: string }, size: { type: string } } }
    Either: { oneOf: [{ $ref: '#/components/schemas/Colour' }, { type: integer }] }
    Message:
      anyOf:
        - { type: object, required: [role, content], properties: { role: { enum: [user] }, content: { oneOf: [{ type: string }, { type: array, items: { type: string } }] } } }
        - { type: object, required: [role, tool], properties: { role: { enum: [tool] }, tool: { type: integer } } }
`

let browser: Browser
let mock: Mock
let page: Page

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(document)])
})
afterAll(async () => {
  await mock?.close()
})
beforeEach(() => async () => page.context().close())

const open = async (namespace: string, script = true) => {
  page = await (await browser.newContext({ javaScriptEnabled: script })).newPage()
  await page.goto(new URL(`/reference/${namespace}.html`, mock.url).href)
}
const tryOut = async (name: string) => {
  await open(name.split('.')[0] ?? '')
  const form = consoleOf(page, name)
  await form.scrollIntoViewIfNeeded()
  const params = async () => {
    const shown = (await form.getByLabel('Request over JSON-RPC').textContent()) ?? ''
    return JSON.parse(shown.slice(shown.indexOf('{'))).params
  }
  const statuses = () => form.locator('.live .status').allTextContents()
  const sendOverEach = async () => {
    for (const protocol of ['JSON-RPC', 'REST'] as const) {
      await over(form, protocol)
      await form.getByRole('button', { name: 'Send', exact: true }).click()
      const answered = form.locator('.live:visible .status')
      await expect.poll(() => answered.textContent()).toMatch(/^(Not sent|\d)/)
    }
  }
  return { form, params, statuses, sendOverEach }
}
const [fine, refused] = [/^20[04] in \d+ ms$/, /^400 in|error -32602$/].map((text) =>
  expect.stringMatching(text),
)

describe('a form that is longer than the window', () => {
  const bottom = (one: Element) => one.getBoundingClientRect().bottom
  it.each([1280, 390])('keeps Send in view at %d, and no field below it', async (width) => {
    page = await (await browser.newContext({ viewport: { width, height: 500 } })).newPage()
    await page.goto(new URL('/reference/orders.html#orders.add', mock.url).href)
    const form = consoleOf(page, 'orders.add')
    const actions = form.locator('.try .actions')
    await form.getByRole('group', { name: 'Protocol' }).evaluate((one) => one.scrollIntoView())
    await expect.poll(() => actions.evaluate(bottom)).toBeLessThanOrEqual(500)
    expect(await form.locator('.try').evaluate((one) => one.clientHeight)).toBeGreaterThan(600)

    await form.getByRole('textbox', { name: 'size' }).first().focus()
    for (let count = 0; count < 4; count++) {
      await page.keyboard.press('Tab')
      const top = () => actions.evaluate((one) => one.getBoundingClientRect().top)
      const focused = () => page.locator(':focus').evaluate(bottom)
      await expect.poll(async () => (await focused()) <= (await top())).toBe(true)
    }
    expect(await axeFindings(page)).toEqual([])
  })

  it('gives an object in a list the whole width, with its button above', async () => {
    const { form } = await tryOut('orders.add')
    const code = form.getByRole('textbox', { name: 'code' }).first()
    const remove = form.getByRole('button', { name: 'Remove lines 1' })
    const [field, button] = await Promise.all([code, remove].map((one) => one.boundingBox()))
    if (!field || !button) throw new Error('Not shown')
    expect(Math.round(field.x + field.width)).toBe(Math.round(button.x + button.width))
    expect(button.y + button.height).toBeLessThanOrEqual(field.y)
  })
})

describe('the reference of an operation whose body is one of several', () => {
  it('lists the fields of each branch under its discriminator, one open at a time, without script too', async () => {
    await open('pets', false)
    const section = page.locator('[id="pets.add"]')
    const labels = ['Cat (kind: "cat")', 'Dog (kind: "dog")']
    expect(await section.locator('.branch > summary').allTextContents()).toEqual(labels)
    const names = (at: number) =>
      section.locator('.branch').nth(at).locator('.field-name code').allTextContents()
    expect([await names(0), await names(1)]).toEqual([
      ['kind', 'age', 'lives'],
      ['kind', 'age', 'tricks'],
    ])
    const isOpen = () =>
      section.locator('.branch').evaluateAll((all) => all.map((each) => each.hasAttribute('open')))
    expect(await isOpen()).toEqual([true, false])
    await section.getByText('Dog (kind: "dog")', { exact: true }).click()
    expect(await isOpen()).toEqual([false, true])
  })

  it('has no fault for axe, with schemas as alternatives and two operations of one title', async () => {
    for (const name of ['schema.pet', 'schema.either', 'tokens']) {
      await open(name)
      expect([name, await axeFindings(page)]).toEqual([name, []])
    }
  })

  it('names the branch of the samples, and the others', async () => {
    await open('pets')
    const told = 'The samples show Dog (kind: "dog"). Other alternatives: Cat (kind: "cat").'
    await page.getByText(told, { exact: true }).waitFor()
    await open('talks')
    await page
      .getByText('In messages the samples show role: "user". Other alternatives: role: "tool".')
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})

describe('the form of an operation whose body is one of several', () => {
  it('starts with the branch of the example, and sends another one once it is selected', async () => {
    const { form, params, statuses, sendOverEach } = await tryOut('pets.add')
    await expect.poll(params).toEqual({ owner: 'tom', kind: 'dog', tricks: ['sit'] })
    await form.getByLabel('owner required').fill('ann')
    await form.getByLabel('Alternative').selectOption('Cat (kind: "cat")')
    await sendOverEach()
    await expect.poll(statuses).toEqual(['Not sent. lives: Required.', 'Not sent. lives: Required.'])
    const lives = form.getByLabel('lives required')
    await expect.poll(() => lives.getAttribute('aria-invalid')).toBe('true')
    await lives.fill('9')
    await expect.poll(params).toEqual({ owner: 'ann', kind: 'cat', lives: 9 })
    await sendOverEach()
    await expect.poll(statuses).toEqual([fine, fine])
    expect(await axeFindings(page)).toEqual([])
  })

  it('has a selector for each item of a list, and for a member of several types', async () => {
    const { form, params } = await tryOut('talks.begin')
    const selectors = form.getByLabel('Alternative')
    await expect.poll(params).toEqual({ messages: [{ role: 'user', content: 'Hello' }] })
    await form.getByRole('button', { name: 'Add to messages' }).click()
    await selectors.nth(2).selectOption('role: "tool"')
    await form.getByLabel('tool required').fill('3')
    await expect.poll(params).toEqual({
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'tool', tool: 3 },
      ],
    })
    await selectors.nth(1).selectOption('array of string')
    await form.getByRole('textbox', { name: 'array of string 1' }).fill('Hi')
    await expect.poll(async () => (await params()).messages[0]).toEqual({ role: 'user', content: ['Hi'] })
    expect(await axeFindings(page)).toEqual([])
  })

  it('falls back to JSON for values without a field, shows errors there, and does not return if that would lose data', async () => {
    const { form, params, statuses, sendOverEach } = await tryOut('talks.begin')
    const messages = [{ role: 'user', content: 'Hello' }]
    await form.getByRole('button', { name: 'Edit as JSON' }).click()
    const text = form.getByLabel('Parameters as JSON')
    expect(JSON.parse(await text.inputValue())).toEqual({ messages })
    const fault = () => text.evaluate((area) => area.closest('.field')?.querySelector('.wrong')?.textContent)
    await text.fill('[]')
    await expect.poll(fault).toBe('Parameters must be a JSON object')
    await text.fill(JSON.stringify({ messages, size: 'x' }))
    await sendOverEach()
    await expect.poll(statuses).toEqual([refused, refused])
    await expect.poll(fault).toBe('size: must be integer')
    await text.fill(JSON.stringify({ messages, size: 7 }))
    await expect.poll(params).toEqual({ messages, size: 7 })
    await sendOverEach()
    await expect.poll(statuses).toEqual([fine, fine])
    expect(await axeFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Edit in the form' }).click()
    await form.getByText('The form has no fields for all of this, and would lose it.').waitFor()
    await text.fill(JSON.stringify({ messages }))
    await form.getByRole('button', { name: 'Edit in the form' }).click()
    await form.getByLabel('Alternative').first().waitFor()
    expect(await params()).toEqual({ messages })
  })
})

it('offers only JSON-RPC for an operation that REST does not reach, and explains why', async () => {
  const { form, statuses } = await tryOut('tokens.refresh')
  await form.getByText('Nothing can be sent over REST: another operation matches every request').waitFor()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(statuses).toEqual([fine])
  expect(await form.locator('.samples [data-over="rest"]').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
})

it('leaves a text empty of which the document has no value, and shows its name in capitals', async () => {
  const { form, params, sendOverEach, statuses } = await tryOut('shops.get')
  const id = form.getByLabel('shopId required')
  expect([await id.inputValue(), await id.getAttribute('placeholder')]).toEqual(['', 'SHOP_ID'])
  expect(await params()).toEqual({ shopId: 'SHOP_ID' })
  const curl = form.locator('[data-sample^=curl][data-over^=rest] code')
  expect(await curl.textContent()).toContain('$BASE_URL/shops/SHOP_ID"')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(statuses).toContainEqual(expect.stringMatching(/^Not sent\. shopId: /))
  await id.fill('s-1')
  await expect.poll(() => curl.textContent()).toContain('$BASE_URL/shops/s-1"')
  await sendOverEach()
  await expect.poll(statuses).toEqual([fine, fine])
})
