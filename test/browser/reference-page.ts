import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { openBrowser } from './browser.js'

/** The reference that a service of the calling file shows. Registers the hooks. */
export function servedReference() {
  let browser: Browser
  let service: TestService
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), startServiceHere()])
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })
  return {
    get url() {
      return service.url
    },
    get apiKey() {
      return service.user('admin').apiKey
    },
    open: (url: string, options?: BrowserContextOptions) => openReference(browser, url, options),
    tryOut: (page: Page, operation: string) => tryOperation(page, operation, service.user('admin').apiKey),
  }
}

/** Opens a page of the reference. `complaints` collects the browser's errors, except error responses. */
async function openReference(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[]; moved: () => Promise<string[]> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/^Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node } of (entry as unknown as { sources: { node: Element | null }[] }).sources)
          moved.push(`${node?.outerHTML ?? node}`.slice(0, 200))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url)
  return {
    page,
    complaints,
    moved: () => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved),
  }
}

/** The column of an operation: its form, samples and responses. */
export const consoleOf = (page: Page, operation: string) => page.locator(`[data-console="${operation}"]`)

/** The response of an operation over one protocol. */
export const side = (page: Page, operation: string, protocol: 'rest' | 'jsonrpc' | 'mcp') =>
  consoleOf(page, operation).locator(`[data-side="${protocol}"]`)

/** Scrolls to the form of an operation, and fills in the key for all pages. */
async function tryOperation(page: Page, operation: string, apiKey: string): Promise<void> {
  await authorize(page, { apiKey })
  await consoleOf(page, operation).scrollIntoViewIfNeeded()
}

/** Fills in the dialog of the address and the credentials, by the labels of its fields. */
export async function authorize(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  const press = page.locator('.bar').getByRole('button', { name: 'Authorize' })
  // On phones it is in a menu.
  if (!(await press.isVisible())) await page.locator('.more-button').click()
  await press.click()
  const dialog = page.getByRole('dialog')
  for (const [name, value] of Object.entries(values))
    await dialog.getByLabel(name, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** Chooses the protocol of all pages. */
export async function over(form: Locator, protocol: 'REST' | 'JSON-RPC' | 'MCP'): Promise<void> {
  await form.getByRole('group', { name: 'Protocol' }).getByRole('button', { name: protocol }).click()
}
