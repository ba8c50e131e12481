// @module-tag long

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { axeFindings, openBrowser } from './browser.js'
import { authorize, consoleOf } from './reference-page.js'

describe('the reference on another origin than the service', () => {
  const folder = 'generated/1.1.0/reference'
  const types = new Map([
    ['.html', 'text/html'],
    ['.css', 'text/css'],
    ['.js', 'text/javascript'],
  ])
  let browser: Browser
  let service: TestService
  let server: Server
  let origin: string

  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), startServiceHere()])
    server = createServer(async ({ url = '/' }, response) => {
      const file = await readFile(join(folder, basename(url))).catch(() => undefined)
      response.statusCode = file === undefined ? 404 : 200
      response.setHeader('content-type', `${types.get(extname(url))}; charset=utf-8`)
      response.end(file)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
    server?.close()
  })

  it('distinguishes a service without CORS from one that does not answer', async () => {
    const page = await browser.newPage()
    await page.goto(`${origin}/clients.html#clients.get`)
    await authorize(page, { apiKey: service.user('admin').apiKey })
    const form = consoleOf(page, 'clients.get')
    const told = async (address: string) => {
      await authorize(page, { 'Base URL': address })
      await form.getByRole('button', { name: 'Compare REST and JSON-RPC' }).click()
      return () => form.locator('.live .status').allTextContents()
    }
    const forbidden = expect.stringContaining(
      `${service.url} answers, but does not let pages of other origins read its responses (CORS): ` +
        `the origin of this page is ${origin}.`,
    )
    await expect.poll(await told(service.url)).toEqual([forbidden, forbidden, ''])
    const silent = expect.stringContaining('No response from http://127.0.0.1:9 has reached this page.')
    await expect.poll(await told('http://127.0.0.1:9')).toEqual([silent, silent, ''])
    await page.close()
  })

  it.each([
    { host: 'docs.example', servers: ['https://api.example/v1'], calls: 'https://api.example' },
    {
      host: 'api.example',
      servers: ['http://api.example/v1', 'https://other.example'],
      calls: 'http://api.example',
    },
    { host: 'docs.example', servers: ['http://127.0.0.1:8080'], calls: 'http://docs.example' },
  ])('on $host calls $calls if the servers are $servers', async ({ host, servers, calls }) => {
    const page = await pageOf(
      host,
      servers.map((url) => ({ url })),
    )
    await page.goto(`http://${host}/clients.html`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await expect.poll(() => page.getByLabel('Base URL').inputValue()).toContain(calls)
    await page.close()
  })

  it('has one base URL: that of the start page, the list of servers, its field and the first call', async () => {
    const template = 'https://{tenant}.example/v1'
    const variables = { tenant: 'demo' }
    const page = await pageOf('docs.example', [
      { url: 'https://api.example/live', description: 'Live' },
      { url: '/relative', description: 'Here' },
      { url: 'https://demo.example/v1', description: '', template, variables },
      { url: 'http://127.0.0.1:8080', description: 'Local' },
    ])
    await page.goto('http://docs.example/index.html')
    const shown = page.getByLabel('Calls of this page go to')
    await expect.poll(() => shown.inputValue()).toBe('https://api.example/live')
    const call = page.locator('.first-call code:visible').first()
    expect(await call.textContent()).toContain('curl "https://api.example/live/accounting/currencies"')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const server = page.getByLabel('Server', { exact: true })
    expect(await server.locator('option').allTextContents()).toEqual([
      'https://api.example/live, Live',
      'http://docs.example/relative, Here',
      'https://demo.example/v1',
      'http://127.0.0.1:8080, Local',
      'Another address',
    ])
    const typed = page.getByLabel('Base URL', { exact: true })
    await server.selectOption('http://docs.example/relative')
    expect(await typed.inputValue()).toBe('http://docs.example/relative')
    await server.selectOption('https://demo.example/v1')
    await page.getByLabel('tenant', { exact: true }).fill('ann')
    expect(await typed.inputValue()).toBe('https://ann.example/v1')
    expect(await axeFindings(page)).toEqual([])
    await server.selectOption('https://api.example/live')
    expect(await page.getByLabel('tenant', { exact: true }).count()).toBe(0)
    await typed.fill('https://else.example/v2/')
    expect(await server.inputValue()).toBe('')
    expect(await call.textContent()).toContain('curl "https://else.example/v2/accounting/currencies"')
    expect(await shown.inputValue()).toBe('https://else.example/v2/')
    await page.close()
  })

  it('has an editable base URL without servers, on the host of the page', async () => {
    const page = await pageOf('docs.example', [])
    await page.goto('http://docs.example/index.html')
    const shown = page.getByLabel('Calls of this page go to')
    const call = page.locator('.first-call code:visible').first()
    await expect.poll(() => shown.inputValue()).toBe('http://docs.example')
    expect(await call.textContent()).toContain('curl "http://docs.example/accounting/currencies"')
    await shown.fill('https://else.example/v2')
    expect(await call.textContent()).toContain('curl "https://else.example/v2/accounting/currencies"')
    await shown.fill('else')
    await page.getByText('must begin with http').filter({ visible: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await shown.fill('https://else.example/v2')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    expect(await page.getByLabel('Base URL', { exact: true }).inputValue()).toBe('https://else.example/v2')
    await page.close()
  })

  /** A page for a host, which serves the reference with these servers of the document. */
  async function pageOf(host: string, servers: readonly object[]) {
    const page = await browser.newPage()
    await page.route(`http://${host}/**`, async (route) => {
      const name = basename(new URL(route.request().url()).pathname)
      const text = await readFile(join(folder, name), 'utf8').catch(() => '')
      const body = text.replace(/"servers":\[[^\]]*\]/, () => `"servers":${JSON.stringify(servers)}`)
      await route.fulfill({ body, contentType: types.get(extname(name)) ?? 'text/plain' })
    })
    return page
  }
})
