import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { render } from '../../generator/diff/report/render.js'
import { review, reviewTexts } from '../fixtures/review.js'
import { axeFindings, openBrowser, openHtml } from './browser.js'

const html = render(review, 'html', { texts: reviewTexts })

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
})

/** The first words of the visible changes. */
async function shown(page: Page): Promise<string[]> {
  return await page.locator('.change:visible .message').allInnerTexts()
}

const customer = 'Customer.email: became nullable in 4 operations'
const removed = 'DELETE /orders was removed'
const limit = 'the query parameter limit: max decreased (1000 to 100)'
const pattern = 'the query parameter code: pattern changed'
const state = 'the query parameter state was added'
const description = 'the description changed'

describe('the review page in a browser', () => {
  it('gives the verdict of each protocol first', async () => {
    const { page, close } = await openHtml(browser, html)
    expect(await page.locator('.verdict').allInnerTexts()).toEqual([
      expect.stringMatching(/^REST\s+Breaking\s+Callers have to change\.\s+3 breaking \(1 waived\)/),
      expect.stringMatching(/^JSON-RPC\s+Breaking\s+Callers have to change\.\s+2 breaking \(1 waived\)/),
      expect.stringMatching(/^Version bump\s+Not enough\s+major required, minor declared/),
    ])
    await close()
  })

  it('filters by protocol, level, waiver and text, shows the count, and resets', {
    tags: 'long',
  }, async () => {
    const { page, complaints, close } = await openHtml(browser, html)
    const count = page.getByRole('status')
    expect(await shown(page)).toEqual([customer, removed, limit, pattern, state, description])

    await page.getByLabel('JSON-RPC', { exact: true }).check()
    await expect.poll(() => shown(page)).toEqual([customer, removed, pattern, state, description])
    await expect.poll(() => count.innerText()).toBe('5 of 6 shown')
    await expect.poll(() => page.locator('[data-level-count="breaking"]').innerText()).toBe('2')

    for (const level of ['compatible', 'dangerous', 'info']) await page.getByLabel(level).uncheck()
    await expect.poll(() => shown(page)).toEqual([customer, removed])
    await page.getByLabel('Hidden').check()
    await expect.poll(() => shown(page)).toEqual([customer])
    expect(await page.getByRole('link', { name: 'orders.clear' }).isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => shown(page)).toHaveLength(6)
    await page.getByLabel('Operation or text').fill('CUSTOMERS.search')
    await expect.poll(() => shown(page)).toEqual([customer])
    await page.getByLabel('Operation or text').fill('nothing like it')
    await expect.poll(() => page.getByText('No change matches the filter.').isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })

  it('copies the proofs as command lines', async () => {
    const { page, complaints, close } = await openHtml(browser, html, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const change = page.locator('.change').filter({ hasText: limit })
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await change.getByRole('button', { name: 'Copy the proof over REST' }).click()
    await expect.poll(clipboard).toBe(`curl "$BASE_URL/orders?limit=101" -H 'X-Note: it'\\''s'`)
    await change.getByRole('button', { name: 'Copy the proof over JSON-RPC' }).press('Enter')
    await expect
      .poll(clipboard)
      .toBe(
        `curl "$BASE_URL/" -H 'Content-Type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"orders.search","params":{"limit":101}}'`,
      )
    expect(complaints).toEqual([])
    await close()
  })

  it('marks the words that differ in the lines of both documents', async () => {
    const { page, close } = await openHtml(browser, html)
    const change = page.locator('.change').filter({ hasText: limit })
    expect(await change.locator('del').allInnerTexts()).toEqual(['1000'])
    expect(await change.locator('ins').allInnerTexts()).toEqual(['100'])
    await close()
  })

  it('links to single changes, and works by keyboard alone', async () => {
    const { page, close } = await openHtml(browser, html)
    await page.evaluate(() => {
      location.hash = 'change-00000000000000c4'
    })
    const linked = page.locator('[id="change-00000000000000c4"]')
    await expect.poll(() => linked.getAttribute('open')).toBe('')
    await linked.locator('summary').press('Enter')
    await expect.poll(() => linked.getAttribute('open')).toBe(null)
    await page.reload()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the changes')
    await close()
  })

  it('is readable without script: every change, and no dead controls', async () => {
    const { page, complaints, close } = await openHtml(browser, html, { javaScriptEnabled: false })
    expect(await shown(page)).toHaveLength(6)
    expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0)
    await page.locator('summary', { hasText: state }).click()
    expect(await page.getByText('{ name: state, in: query, schema: { type: string } }').isVisible()).toBe(
      true,
    )
    expect(complaints).toEqual([])
    await close()
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe objects to, %s, every change unfolded',
    { tags: 'long' },
    async (theme) => {
      const { page, complaints, close } = await openHtml(browser, html)
      await page.getByLabel('Theme').selectOption(theme)
      await page.getByRole('button', { name: 'Unfold all' }).click()
      expect(await axeFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('fits a phone', async () => {
    const { page, close } = await openHtml(browser, html, { viewport: { width: 320, height: 700 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.getByText('Filter', { exact: true }).click()
    expect(await page.getByLabel('Operation or text').isVisible()).toBe(true)
    await close()
  })

  it('prints every change unfolded', async () => {
    const { page, close } = await openHtml(browser, html, { javaScriptEnabled: false })
    await page.emulateMedia({ media: 'print' })
    const line = page.getByText('{ name: state, in: query, schema: { type: string } }')
    expect(await line.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))).toBe(
      true,
    )
    await close()
  })
})
