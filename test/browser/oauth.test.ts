// @module-tag long
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startDocument } from './kinds.js'
import { consoleOf } from './reference-page.js'

let browser: Browser
let mock: Mock
let identity: Server
/** The authorization requests and token requests that the identity server received. */
const asked: Record<string, string>[] = []

beforeAll(async () => {
  // RFC 6749 and RFC 7636, as a server of another origin does it.
  identity = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/authorize') {
      const query = Object.fromEntries(url.searchParams)
      asked.push(query)
      const back = new URL(query.redirect_uri ?? '')
      back.searchParams.set('code', 'the-code')
      back.searchParams.set('state', query.state ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
    if (request.method === 'OPTIONS') {
      response.writeHead(204, headers).end()
      return
    }
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const form = Object.fromEntries(new URLSearchParams(body))
    asked.push({ ...form, authorization: request.headers.authorization ?? '' })
    response.writeHead(form.client_id === 'stranger' ? 401 : 200, {
      'content-type': 'application/json',
      ...headers,
    })
    if (form.client_id === 'stranger') {
      response.end('{"error":"invalid_client","error_description":"Unknown client"}')
      return
    }
    response.end(JSON.stringify({ access_token: `token-of-${form.grant_type}`, token_type: 'Bearer' }))
  })
  await once(identity.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`
  const document = `
openapi: 3.1.0
info: { title: Signed, version: 1.0.0 }
paths:
  /things:
    get: { x-rpc-method: things.list, security: [{ account: [read] }, { evil: [] }], responses: { '204': { description: Done } } }
components:
  securitySchemes:
    account:
      type: oauth2
      flows:
        authorizationCode: { authorizationUrl: '${base}/authorize', tokenUrl: '${base}/token', scopes: { read: Reads things, write: Writes } }
        clientCredentials: { tokenUrl: '${base}/token', scopes: { read: Reads things } }
    evil:
      type: oauth2
      flows:
        authorizationCode: { authorizationUrl: 'javascript:document.title=1', tokenUrl: '${base}/token', scopes: {} }
        clientCredentials: { tokenUrl: 'data:application/json,{"access_token":"x"}', scopes: {} }
`
  ;[browser, mock] = await Promise.all([openBrowser(), startDocument(document)])
})
afterAll(async () => {
  await mock?.close()
  identity?.close()
})

it.each([
  ['a code and PKCE', 'Sign in', 'authorization_code'],
  ['the credentials of a client', 'Get a token', 'client_credentials'],
])('signs in with %s, and sends the token', async (_, press, grant) => {
  asked.length = 0
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/things.html', mock.url).href)
  await page.locator('.bar').getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sign in for account').click()
  await dialog.getByLabel('account client id').fill('page:1')
  await dialog.getByLabel('account client secret').fill('s3cret +é')
  // What the page's operations need is chosen, and each scope is explained.
  expect(await dialog.getByLabel('read').isChecked()).toBe(true)
  expect(await dialog.getByLabel('write').isChecked()).toBe(false)
  expect(await dialog.getByText('Reads things').isVisible()).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: press, exact: true }).click()
  await dialog.getByText('Signed in.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const token = asked.at(-1) ?? {}
  expect(token.grant_type).toBe(grant)
  if (grant === 'authorization_code') {
    const [authorization = {}] = asked
    expect(authorization).toMatchObject({ response_type: 'code', client_id: 'page:1', scope: 'read' })
    expect(authorization.code_challenge_method).toBe('S256')
    // RFC 7636, 4.6.
    const challenge = createHash('sha256')
      .update(token.code_verifier ?? '')
      .digest('base64url')
    expect(authorization.code_challenge).toBe(challenge)
    expect(token.redirect_uri).toBe(authorization.redirect_uri)
    expect(token.client_secret).toBeUndefined()
  } else {
    // RFC 6749, 2.3.1: form-urlencoded, then as of HTTP Basic, not in the body.
    const credentials = Buffer.from('page%3A1:s3cret+%2B%C3%A9').toString('base64')
    expect(token).toEqual({ grant_type: grant, scope: 'read', authorization: `Basic ${credentials}` })
  }

  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().endsWith('/things')),
    consoleOf(page, 'things.list').getByRole('button', { name: 'Send', exact: true }).click(),
  ])
  expect(await request.headerValue('authorization')).toBe(`Bearer token-of-${grant}`)
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
  await page.context().close()
})

it('chooses the scopes of the operation whose form opens it, and shows why no token came as an error', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/things.html', mock.url).href)
  await consoleOf(page, 'things.list').locator('.connection').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sign in for account').click()
  expect(await dialog.getByLabel('read').isChecked()).toBe(true)
  await dialog.getByLabel('account client id').fill('stranger')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByRole('alert').getByText('401: Unknown client', { exact: true }).waitFor()
  await page.context().close()
})

it.each([
  ['client id', 'authorization_code'],
  ['client secret', 'client_credentials'],
])('signs in by keyboard alone, with Enter in the %s', async (field, grant) => {
  asked.length = 0
  const page = await (await browser.newContext()).newPage()
  await page.goto(new URL('/reference/things.html', mock.url).href)
  const press = page.locator('.bar').getByRole('button', { name: 'Authorize' })
  await press.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sign in for account').focus()
  await page.keyboard.press('Enter')
  const input = dialog.getByLabel(`account ${field}`)
  for (let steps = 0; steps < 9 && !(await input.evaluate((each) => each.matches(':focus'))); steps += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  await dialog.getByText('Signed in.').waitFor()
  expect(asked.at(-1)?.grant_type).toBe(grant)
  await page.keyboard.press('Escape')
  expect(await press.evaluate((each) => each.matches(':focus'))).toBe(true)
  const send = consoleOf(page, 'things.list').getByRole('button', { name: 'Send', exact: true })
  await send.focus()
  await page.keyboard.press('Enter')
  const status = consoleOf(page, 'things.list').locator('.live:visible .status')
  await expect.poll(() => status.textContent()).toMatch(/^204 in /)
  await page.context().close()
})

// Addresses of a document are not trusted: of another scheme, they would run as the page, or answer for a server.
it.each([
  ['Sign in', "The document's authorizationUrl is not an http or https address: javascript:document.title=1"],
  [
    'Get a token',
    'The document\'s tokenUrl is not an http or https address: data:application/json,{"access_token":"x"}',
  ],
])('opens and asks only addresses of the web: %s', async (press, told) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(new URL('/reference/things.html', mock.url).href)
  const title = await page.title()
  await page.locator('.bar').getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sign in for evil').click()
  await dialog.getByLabel('evil client id').fill('page')
  await dialog.getByRole('button', { name: press, exact: true }).last().click()
  await dialog.getByText(told, { exact: true }).waitFor()
  expect([context.pages().length, await page.title()]).toEqual([1, title])
  expect(await dialog.getByLabel('evil', { exact: true }).inputValue()).toBe('')
  await context.close()
})
