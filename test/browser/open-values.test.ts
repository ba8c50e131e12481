// @module-tag long
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf, over } from './reference-page.js'

const integer = { type: 'integer' }
const text = { type: 'string' }
const objectOf = (properties: Readonly<Record<string, object>>, optional: object = {}) => ({
  ...{ type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } },
})
const body = (schema: object, more: object = {}) => ({
  ...{ required: true, content: { 'application/json': { schema, ...more } } },
})
const responses = { 204: { description: 'Done' } }
const pet = objectOf({
  count: integer,
  price: { type: 'number', minimum: 0.5 },
  born: { type: 'string', format: 'date' },
  isNew: { type: 'boolean' },
  maybe: { type: ['integer', 'null'] },
  order: { oneOf: [{ const: 'asc' }, { const: 'desc' }] },
  free: { type: 'object' },
  tags: { type: 'array', items: text },
  owner: objectOf(
    { name: text, plan: { enum: ['free', 'paid'] }, country: { enum: ['de', 'fr'], default: 'fr' } },
    { note: text, address: objectOf({ city: text }) },
  ),
  home: { oneOf: ['hut', 'tent'].map((kind) => objectOf({ kind: { const: kind }, size: integer })) },
  usual: { type: 'integer', default: 3 },
  shown: { type: 'string', examples: ['s'] },
  fixed: { const: 4 },
  only: { enum: ['o'] },
})
const parameters = [
  { name: 'petId', in: 'path', required: true, schema: integer },
  { name: 'page', in: 'query', required: true, schema: integer },
  { name: 'X-Level', in: 'header', required: true, schema: { enum: [1, 2] } },
]
const document = {
  openapi: '3.1.1',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{petId}': {
      put: { 'x-rpc-method': 'pets.put', parameters, requestBody: body(pet), responses },
      delete: { 'x-rpc-method': 'pets.delete', parameters: parameters.slice(0, 1), responses },
      post: {
        ...{ 'x-rpc-method': 'pets.mark', parameters: parameters.slice(0, 1), responses },
        requestBody: body(objectOf({ marks: { type: 'array', items: text } }), { example: { marks: ['m'] } }),
      },
    },
    '/prices': {
      post: {
        ...{ 'x-rpc-method': 'pets.price', 'x-mcp': true },
        requestBody: body(objectOf({ price: { type: 'number', maximum: 9, example: 12 } })),
        responses: { 200: { description: 'Done', ...body(objectOf({ price: integer })) } },
      },
    },
    '/notes': {
      post: {
        ...{ 'x-rpc-method': 'pets.note', responses },
        requestBody: { ...body(objectOf({ n: text })), required: false },
      },
    },
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

async function opened(operation: string) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL(`/reference/pets.html#${operation}`, mock.url).href)
  const form = consoleOf(page, operation)
  await form.getByRole('button', { name: 'Send', exact: true }).waitFor()
  return {
    ...{ page, form, curl: form.locator('.samples [data-sample~="curl"][data-over~="rest"] code') },
    field: (label: string) => form.getByLabel(`${label} required`, { exact: true }),
    send: () => form.getByRole('button', { name: 'Send', exact: true }).click(),
    status: form.locator('.live:visible .status'),
    wrong: form.locator('.field .wrong:not(:empty)'),
    /** What the form holds, by label. */
    held: () =>
      form
        .locator('.params')
        .evaluate((params) =>
          Object.fromEntries(
            Array.from(
              params.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
                'input:not([type=checkbox]), select, textarea',
              ),
              (control) => [
                control.labels?.[0]?.textContent?.replace(' required', '') ?? '',
                control instanceof HTMLSelectElement
                  ? (control.selectedOptions[0]?.textContent ?? '')
                  : control.value,
              ],
            ).filter(([, value]) => !['', 'Choose', 'not sent'].includes(value ?? '')),
          ),
        ),
  }
}

it('holds the values of the document alone, asks for all others, and sends none of its own', async () => {
  const { page, form, curl, field, send, status, wrong, held } = await opened('pets.put')
  expect(await held()).toEqual({
    ...{ country: 'fr', usual: '3', shown: 's', fixed: '4', only: 'o' },
    ...{ Alternative: expect.stringMatching(/^kind/), kind: expect.stringMatching(/^(hut|tent)$/) },
  })
  await expect.poll(() => curl.textContent()).toContain('/pets/PET_ID?page=PAGE')
  expect(await curl.textContent()).toContain(
    '"owner":{"name":"NAME","plan":"PLAN","country":"fr"},"home":{"kind":"',
  )
  await send()
  const paths = ['petId', 'page', 'X-Level', 'count', 'price', 'born', 'isNew', 'maybe', 'order', 'free']
  paths.push('tags/0', 'owner/name', 'owner/plan', 'home/size')
  const said = (await status.textContent()) ?? ''
  expect(said).toMatch(/^Not sent\. /)
  expect(said.replace('Not sent. ', '').split('; ').sort()).toEqual(
    paths.map((path) => `${path}: Required.`).sort(),
  )
  expect(await wrong.allTextContents()).toEqual(paths.map(() => 'Required.'))
  expect(await field('petId').evaluate((input) => input === window.document.activeElement)).toBe(true)
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  await send()
  expect((await status.textContent())?.split('; ')).toHaveLength(paths.length)
  await form.getByRole('button', { name: 'Edit in the form' }).click()
  for (const label of ['petId', 'page', 'count', 'price', 'maybe', 'size']) await field(label).fill('7')
  for (const label of ['tags 1', 'name']) await field(label).fill('a')
  await field('born').fill('2026-11-29')
  await field('free').fill('{}')
  await field('X-Level').selectOption('2')
  await field('plan').selectOption('paid')
  await field('isNew').selectOption('true')
  await form.getByRole('group', { name: 'order' }).getByLabel('Alternative').selectOption('"asc"')
  await send()
  await form.locator('.live:visible .status', { hasText: /^204/ }).waitFor()
  await page.context().close()
})

it('asks for a number of the path, also where the body has an example', async () => {
  for (const operation of ['pets.delete', 'pets.mark']) {
    const { page, held, send, status } = await opened(operation)
    expect(await held()).toEqual(operation === 'pets.mark' ? { 'marks 1': 'm' } : {})
    await send()
    expect(await status.textContent()).toBe('Not sent. petId: Required.')
    await page.context().close()
  }
})

it('sends nothing of a body that may be left out', async () => {
  const { page, send, curl } = await opened('pets.note')
  expect(await curl.textContent()).not.toContain('-d ')
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await send()
  expect((await asked).postData()).toBe(null)
  await page.context().close()
})

it.each([
  ['REST', /^400 in \d+ ms$/],
  ['JSON-RPC', /^200 in \d+ ms, error -32602$/],
  ['MCP', /^Error in \d+ ms$/],
] as const)('leads to the field that the service refuses over %s', async (protocol, said) => {
  const { page, form, field, send, status, wrong } = await opened('pets.price')
  await over(form, protocol)
  await send()
  await expect.poll(() => status.textContent()).toMatch(said)
  expect(await wrong.allTextContents()).toEqual(['must be <= 9'])
  expect(await field('price').evaluate((input) => input === window.document.activeElement)).toBe(true)
  const answer = form.locator('.live:visible .body')
  expect(await answer.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  await page.context().close()
})
