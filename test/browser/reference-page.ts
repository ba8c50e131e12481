import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** Opens a page of the reference. `complaints` collects the browser's errors, except error responses. */
export async function openReference(
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

/** The part of an open form for one protocol. */
export const side = (page: Page, protocol: 'rest' | 'jsonrpc') =>
  page.locator(`.operation:has([data-try][open]) [data-side="${protocol}"]`)

/** Opens the form of an operation and fills in the key. */
export async function tryOperation(page: Page, operation: string, apiKey: string): Promise<void> {
  await page.locator(`[data-try="${operation}"] > summary`).click()
  const form = page.locator(`[data-try="${operation}"]`)
  await form.getByLabel('apiKey').fill(apiKey)
}
