// @module-tag long

import type { Browser, Request as BrowserRequest, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { curlCalls, fetchCall, requestOf } from '../fixtures/sample-requests.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { authorize, consoleOf, over } from './reference-page.js'

/**
 * The sample shown is exactly the call that Send makes: its method, path, query, headers and body. Where a word of the
 * sample stands for what the reader has yet to enter, Send says so and sends nothing. Before a reader has entered any
 * credentials, samples show which ones a call may have.
 */
let browser: Browser
let mock: Mock

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(description)])
})
afterAll(async () => {
  await mock?.close()
})

const protocols = ['REST', 'JSON-RPC', 'MCP'] as const
const environment = { BASE_URL: '', API_KEY: 's', API_USER: 'ann', API_PASSWORD: 'pass word' }

async function opened(name: string) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL(`/reference/pets.html#${name}`, mock.url).href)
  const form = consoleOf(page, name)
  await form.getByRole('button', { name: 'Send', exact: true }).waitFor()
  return { page, form, field: (label: string) => form.getByLabel(label, { exact: true }) }
}

const code = async (form: Locator, language: string) => {
  await form.getByRole('group', { name: 'Language' }).getByRole('button', { name: language }).click()
  return (await form.locator('.samples .block:visible code').textContent()) ?? ''
}

async function send(page: Page, form: Locator): Promise<BrowserRequest> {
  const asked = page.waitForRequest((request) => !request.url().endsWith('/openapi.json'))
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  return await asked
}

/** Compares the samples of each protocol with the requests of Send. Returns a curl sample over REST. */
async function expectSame(page: Page, form: Locator): Promise<string> {
  const env = { ...environment, BASE_URL: mock.url }
  let shown = ''
  for (const protocol of protocols) {
    await over(form, protocol)
    const [curl, script] = [await code(form, 'curl'), await code(form, 'fetch')]
    const sent = await send(page, form)
    const isOwn = ([name]: [string, string]) => /^(accept|content-type|authorization|x-.*)$/.test(name)
    const own = Object.fromEntries(Object.entries(sent.headers()).filter(isOwn))
    const body = sent.postData() ?? undefined
    const request = requestOf(sent.url(), { method: sent.method(), headers: own, body })
    expect([protocol, ...curlCalls([curl], env)]).toEqual([protocol, request])
    expect([protocol, await fetchCall(script, env)]).toEqual([protocol, request])
    if (protocol === 'REST') shown = curl
  }
  return shown
}

const refusal = async (form: Locator) => {
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  return await form.locator('.live:visible .status').textContent()
}

it('shows the call that Send makes, from the start and as a reader types', async () => {
  const { page, form, field } = await opened('pets.update')
  expect(await code(form, 'curl')).toContain('/pets/PET_ID')
  for (const protocol of protocols) {
    await over(form, protocol)
    expect(await refusal(form)).toBe('Not sent. petId: Required.')
  }
  await authorize(page, { key: 's' })
  await field('petId required').fill('a b')
  expect(await expectSame(page, form)).toContain('/pets/a%20b')
  await form.getByText(/optional fields$/).click()
  await field('name').fill('Tom & "Co"')
  await field('dry').fill('ä')
  await field('X-Mark').fill('m')
  expect(await expectSame(page, form)).toContain('Tom')
  await form.getByRole('button', { name: 'HTTP', exact: true }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [request, copy] = ['pre', 'button'].map((part) => form.locator(`.samples .block:visible ${part}`))
  await copy?.click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(await request?.textContent())
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  await form.getByLabel('Parameters as JSON').fill('{"petId": "1", "size": 7}')
  expect(await expectSame(page, form)).toContain('{"size":7}')
  await form.getByLabel('Parameters as JSON').fill('{"petId": "2", "size": ')
  expect(await code(form, 'curl')).toBe('No sample can show these values.')
  expect(await refusal(form)).toMatch(/^Not sent\. Parameters as JSON is not JSON/)
  await page.context().close()
})

it('begins with all of an example of the document, and follows the chosen alternative', async () => {
  const { page, form, field } = await opened('pets.add')
  await authorize(page, { key: 's' })
  expect(await expectSame(page, form)).toContain('{"kind":"dog","tricks":["sit"],"weight":1.5}')
  await form.getByLabel('Alternative').selectOption('kind: "cat"')
  await field('lives required').fill('9')
  expect(await expectSame(page, form)).toContain('"lives":9')
  await page.context().close()
})

it('begins as JSON with what the form has no field for', async () => {
  const { page, form } = await opened('pets.tag')
  await authorize(page, { key: 's' })
  const json = form.getByLabel('Parameters as JSON')
  expect(JSON.parse(await json.inputValue())).toEqual({ petId: 'PET_ID', colour: 'red' })
  expect(await code(form, 'curl')).toContain('/pets/PET_ID/tags')
  expect(await refusal(form)).toBe('Not sent. petId: Required.')
  await json.fill('{"petId": "7", "colour": "red"}')
  expect(await expectSame(page, form)).toContain('{"colour":"red"}')
  await page.context().close()
})

it('keeps the line breaks of an example', async () => {
  const { page, form, field } = await opened('pets.note')
  await authorize(page, { key: 's' })
  expect(await field('unix required').inputValue()).toBe('one\ntwo\n')
  expect(JSON.parse(await field('dos required').inputValue())).toBe('one\r\ntwo')
  const sent = await send(page, form)
  expect(JSON.parse(sent.postData() ?? '')).toEqual({ unix: 'one\ntwo\n', dos: 'one\r\ntwo' })
  expect(await expectSame(page, form)).toContain('one')
  await page.context().close()
})

it('shows the credentials that Send has', async () => {
  const { page, form, field } = await opened('pets.update')
  await field('petId required').fill('1')
  expect(await code(form, 'curl')).toContain('X-Api-Key: $API_KEY')
  await authorize(page, { user: 'ann:pass word' })
  expect(await expectSame(page, form)).toContain('-u "$API_USER:$API_PASSWORD"')
  await authorize(page, { key: 's' })
  expect(await expectSame(page, form)).toContain('X-Api-Key: $API_KEY')
  await page.context().close()
})

it('shows a file by its name, and a word until it is chosen', async () => {
  const { page, form, field } = await opened('pets.picture')
  expect(await code(form, 'curl')).toContain("-F 'file=@FILE'")
  await field('title required').fill('Cat')
  await expect.poll(() => code(form, 'curl')).toContain("--form-string 'title=Cat'")
  expect(await code(form, 'curl')).toContain("-F 'file=@FILE'")
  expect(await refusal(form)).toBe('Not sent. file: Required.')
  expect(await axeFindings(page)).toEqual([])
  await form.getByLabel('file required').setInputFiles({
    ...{ name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('purr') },
  })
  expect(await code(form, 'curl')).toContain("-F 'file=@cat.txt'")
  await authorize(page, { key: 's' })
  expect((await send(page, form)).headers()['content-type']).toMatch(/^multipart\/form-data/)
  const status = form.locator('.live:visible .status')
  await expect.poll(() => status.textContent()).toMatch(/^204 in/)
  for (const protocol of ['JSON-RPC', 'MCP'] as const) {
    await over(form, protocol)
    const [shown] = curlCalls([await code(form, 'curl')], { ...environment, BASE_URL: mock.url })
    expect(shown?.body).toEqual(JSON.parse((await send(page, form)).postData() ?? ''))
    expect(JSON.stringify(shown?.body)).toContain(`"file":"${btoa('purr')}"`)
  }
  await page.context().close()
})

const description = `
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
security: [{ key: [] }, { user: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    user: { type: http, scheme: basic }
paths:
  /pets/{petId}:
    patch:
      x-rpc-method: pets.update
      x-mcp: true
      summary: Update a pet
      parameters:
        - { name: petId, in: path, required: true, schema: { type: string } }
        - { name: dry, in: query, schema: { type: string } }
        - { name: X-Mark, in: header, schema: { type: string } }
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { name: { type: string }, size: { type: integer } } }
      responses: { '204': { description: Done } }
  /pets/{petId}/tags:
    put:
      x-rpc-method: pets.tag
      x-mcp: true
      summary: Tag a pet
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { size: { type: integer } } }
            example: { colour: red }
      responses: { '204': { description: Done } }
  /notes:
    post:
      x-rpc-method: pets.note
      x-mcp: true
      summary: Add a note
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [unix, dos], properties: { unix: { type: string }, dos: { type: string } } }
            example: { unix: "one\\ntwo\\n", dos: "one\\r\\ntwo" }
      responses: { '204': { description: Done } }
  /pets:
    post:
      x-rpc-method: pets.add
      x-mcp: true
      summary: Add a pet
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - type: object
                  required: [kind, lives]
                  properties: { kind: { const: cat }, lives: { type: integer } }
                - type: object
                  required: [kind]
                  properties:
                    kind: { const: dog }
                    tricks: { type: array, items: { type: string } }
                    weight: { type: number }
            example: { kind: dog, tricks: [sit], weight: 1.5 }
      responses: { '204': { description: Done } }
  /pictures:
    post:
      x-rpc-method: pets.picture
      x-mcp: true
      summary: Add a picture
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, file]
              properties: { title: { type: string }, file: { type: string, contentMediaType: application/octet-stream } }
      responses: { '204': { description: Done } }
`
