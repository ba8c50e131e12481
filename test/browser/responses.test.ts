// @module-tag long
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { authorize, consoleOf } from './reference-page.js'

/** What Try it shows of the responses that services send, other than short JSON. */
let browser: Browser
let mock: Mock
let service: Server
let page: Page
let faults: string[]
/** The last body that the service received. */
let received = ''
let stream: ServerResponse | undefined

const rows = JSON.stringify(Array.from({ length: 60_000 }, (_, id) => ({ id, name: 'x'.repeat(70) })))

beforeAll(async () => {
  service = createServer(async (request, response) => {
    for (const what of ['origin', 'headers', 'methods'])
      response.setHeader(`access-control-allow-${what}`, '*')
    received = ''
    for await (const chunk of request.setEncoding('utf8')) received += chunk
    const answer = (status: number, headers: Record<string, string>, body?: string) =>
      response.writeHead(status, headers).end(body)
    if (request.method === 'OPTIONS') answer(204, {})
    else if (request.url === '/rows') answer(200, { 'content-type': 'application/json' }, rows)
    else if (request.url === '/file') answer(200, { 'content-type': 'application/zip' }, 'PK')
    else if (request.url === '/moved') answer(302, { location: '/elsewhere' })
    else if (request.url === '/events') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('data: 1\n\n')
    } else answer(204, {})
  })
  await once(service.listen(0, '127.0.0.1'), 'listening')
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(description)])
})
afterAll(async () => {
  await mock?.close()
  service?.closeAllConnections()
  service?.close()
})

beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(new URL('/reference/things.html', mock.url).href)
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  await authorize(page, { 'Base URL': address })
})
afterEach(() => page.context().close())

const response = (form: Locator) => form.locator('.live:visible')
async function sendTo(operation: string): Promise<Locator> {
  const form = consoleOf(page, operation)
  await form.scrollIntoViewIfNeeded()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  return response(form)
}

it.each([
  ['a file', 'things.file', '2 bytes of application/zip', 'file.zip', 'PK'],
  ['5 MB', 'things.rows', `… and ${rows.length - 200_000} more characters`, 'rows.json', rows],
])('saves what it does not show: %s', async (_, operation, shown, name, content) => {
  const answered = await sendTo(operation)
  await expect.poll(() => answered.locator('.body').textContent()).toContain(shown)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    answered.getByRole('link', { name: 'Save file' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(name)
  expect(readFileSync(await saved.path(), 'utf8') === content).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  expect(faults).toEqual([])
})

it('shows a stream as it comes', async () => {
  const answered = await sendTo('things.watch')
  await expect.poll(() => answered.locator('.body').textContent()).toBe('data: 1\n\n')
  expect(await answered.locator('.status').textContent()).toMatch(/^200 in /)
  stream?.write('data: 2\n\n')
  await expect.poll(() => answered.locator('.body').textContent()).toBe('data: 1\n\ndata: 2\n\n')
  stream?.destroy()
  await expect.poll(() => answered.locator('.body').textContent()).toMatch(/… The connection was lost\.$/)
})

it('says that a redirect is one', async () => {
  const answered = await sendTo('things.moved')
  const told = 'The service redirects this call. Browsers hide the address; a sample shows it.'
  await expect.poll(() => answered.locator('.status').textContent()).toBe(told)
})

it('sends several files', async () => {
  const form = consoleOf(page, 'things.upload')
  await form.scrollIntoViewIfNeeded()
  await form.getByRole('button', { name: 'Add to files' }).click()
  for (const index of [0, 1]) {
    const file = { name: `${index}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`file ${index}`) }
    await form.locator('input[type=file]').nth(index).setInputFiles(file)
  }
  const answered = await sendTo('things.upload')
  await expect.poll(() => answered.locator('.status').textContent()).toMatch(/^204 in /)
  expect(
    [...received.matchAll(/name="(\w+)"; filename="(.*?)"\r\n.*\r\n\r\n(.*)\r\n/g)].map((part) =>
      part.slice(1),
    ),
  ).toEqual([
    ['files', '0.txt', 'file 0'],
    ['files', '1.txt', 'file 1'],
  ])
})

const description = `
openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /rows:
    get:
      x-rpc-method: things.rows
      responses: { '200': { description: All, content: { application/json: { schema: {} } } } }
  /file:
    get:
      x-rpc-method: things.file
      responses: { '200': { description: All, content: { application/zip: { schema: { type: string, format: binary } } } } }
  /moved: { get: { x-rpc-method: things.moved, responses: { '204': { description: Done } } } }
  /events:
    get:
      x-rpc-method: things.watch
      responses: { '200': { description: All, content: { text/event-stream: { schema: { type: string } } } } }
  /files:
    post:
      x-rpc-method: things.upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [files]
              properties: { files: { type: array, items: { type: string, format: binary } } }
      responses: { '204': { description: Done } }
`
