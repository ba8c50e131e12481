// @module-tag long
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { authorize, consoleOf, over } from './reference-page.js'

const requirements = {
  either: '[{ user: [] }, { header: [], query: [] }, { token: [] }]',
  session: '[{ session: [] }, { token: [] }]',
  together: '[{ user: [], token: [] }]',
  address: '[{ address: [] }]',
}

const document = `
openapi: 3.1.0
info: { title: Credentials, version: 1.0.0 }
paths:
${Object.entries(requirements)
  .map(
    ([name, security]) => `  /things/${name}:
    get: { x-rpc-method: things.${name}, security: ${security}, responses: { '204': { description: Done } } }
`,
  )
  .join('')}
components:
  securitySchemes:
    user: { type: http, scheme: basic }
    token: { type: http, scheme: bearer }
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: api_key }
    session: { type: apiKey, in: cookie, name: sid }
    address: { type: apiKey, in: header, name: X-Address }
`

let browser: Browser
let mock: Mock
let page: Page
let form: Locator

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(document)])
})
afterAll(async () => {
  await mock?.close()
})
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/things.html', mock.url).href)
  return () => page.context().close()
})

async function open(operation: string): Promise<void> {
  form = consoleOf(page, `things.${operation}`)
  await form.scrollIntoViewIfNeeded()
  await form.getByRole('button', { name: 'Send', exact: true }).waitFor()
}

const type = (credentials: Readonly<Record<string, string>>) => authorize(page, credentials)

/** The credentials of a call over a protocol, as sent by the browser. */
async function sentOver(protocol: 'REST' | 'JSON-RPC'): Promise<Readonly<Record<string, string | null>>> {
  await over(form, protocol)
  const isCall = (url: string) => protocol === 'JSON-RPC' || url.includes('/things/')
  const [request] = await Promise.all([
    page.waitForRequest((each) => isCall(each.url()) && !each.url().endsWith('/openapi.json')),
    form.getByRole('button', { name: 'Send', exact: true }).click(),
  ])
  const headers = await request.allHeaders()
  const found = {
    authorization: headers.authorization,
    key: headers['x-key'],
    query: new URL(request.url()).searchParams.get('api_key') ?? undefined,
    cookie: headers.cookie,
    address: headers['x-address'],
  }
  return JSON.parse(JSON.stringify(found))
}

it.each(['REST', 'JSON-RPC'] as const)(
  'sends the credentials of the first requirement that is filled in, and no others, over %s',
  async (protocol) => {
    await open('either')
    expect(await sentOver(protocol)).toEqual({})
    await type({ token: 't', header: 'h' })
    expect(await sentOver(protocol)).toEqual({ authorization: 'Bearer t' })
    await type({ query: 'q&' })
    expect(await sentOver(protocol)).toEqual({ key: 'h', query: 'q&' })
    // RFC 7617, section 2
    await type({ user: 'Aladdin:open sesame' })
    expect(await sentOver(protocol)).toEqual({ authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' })
  },
)

it('sends the filled-in part of a security requirement', async () => {
  await open('either')
  await type({ header: 'h' })
  expect(await sentOver('REST')).toEqual({ key: 'h' })
})

it('says that no page can set a cookie, and that the browser sends its own to the page’s origin', async () => {
  await page.context().addCookies([{ name: 'sid', value: 's', url: mock.url }])
  await open('session')
  expect(await page.getByRole('dialog').getByLabel('session', { exact: true }).count()).toBe(0)
  expect(await form.locator('.panel').innerText()).toMatch(
    /session is the cookie sid\. A browser lets no page set one: it sends the cookie that it has if this page comes from the same origin/,
  )
  expect(await sentOver('REST')).toEqual({ cookie: 'sid=s' })
  await type({ token: 't' })
  expect(await sentOver('JSON-RPC')).toEqual({ authorization: 'Bearer t', cookie: 'sid=s' })
  // axe calls a button too small that has been scrolled half below the protocols.
  await form.evaluate((column) => {
    column.scrollTop = 0
  })
  expect(await axeFindings(page)).toEqual([])
})

it('sends no cookies without a cookie scheme', async () => {
  await page.context().addCookies([{ name: 'sid', value: 's', url: mock.url }])
  await open('either')
  expect(await sentOver('REST')).toEqual({})
})

it('says that no request can have two credentials in one header', async () => {
  await open('together')
  expect(await form.locator('.panel').innerText()).toContain(
    'No request can have token and user: it has one header Authorization.',
  )
  await type({ user: 'a:b', token: 't' })
  await sentOver('REST')
  await expect
    .poll(() => form.locator('.live .status').allTextContents())
    .toContainEqual(expect.stringMatching(/^401 in/))
})

it('does not confuse a scheme with the address of the service', async () => {
  await open('address')
  await type({ address: 'a' })
  expect(await sentOver('REST')).toEqual({ address: 'a' })
})
