import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { render } from '../../generator/diff/report/render.js'
import { review, reviewTexts } from '../fixtures/review.js'
import { axeFindings, openBrowser, openHtml } from './browser.js'

const html = render(review, 'html', { texts: reviewTexts })

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

describe('the layout of the review page', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)(
    'has nothing that axe objects to, %s, %i px wide, every change unfolded, and with the keys',
    { tags: 'long' },
    async (theme, width) => {
      const { page, complaints, close } = await openHtml(browser, html, { viewport: { width, height: 900 } })
      await page.getByLabel('Theme').selectOption(theme)
      await page.getByRole('button', { name: 'Expand all' }).click()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Keys' }).click()
      expect(await axeFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('offers nothing to filter or expand where nothing has changed', async () => {
    const verdict = { rest: 'identical', jsonrpc: 'identical' } as const
    const bump = { required: 'none', declared: 'none', ok: true } as const
    const same = render({ ...review, verdict, bump, changes: [] }, 'html', { texts: reviewTexts })
    const { page, complaints, close } = await openHtml(browser, same)
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Nothing has changed.')
    expect(await page.locator('main').locator('button:visible, input:visible').count()).toBe(0)
    // Each text is in the same column.
    const lefts = await page.locator('.verdict td:last-child').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return Math.round(range.getBoundingClientRect().left)
      }),
    )
    expect(new Set(lefts).size).toBe(1)
    await page.keyboard.press('j')
    expect(await axeFindings(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('is laid out once, not once for each row, when all rows are expanded', async () => {
    const [change] = review.changes
    if (change === undefined) throw new Error('the review has no change')
    const changes = Array.from({ length: 60 }, (_, index) => ({
      ...change,
      message: `DELETE /orders/${index} was removed`,
      fingerprint: `${change.fingerprint}${index}`,
    }))
    const { page, close } = await openHtml(
      browser,
      render({ ...review, changes }, 'html', { texts: reviewTexts }),
    )
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')
    const layouts = async () =>
      (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')
        ?.value ?? 0
    await page.getByRole('button', { name: 'Collapse all' }).click()
    const before = await layouts()
    await page.getByRole('button', { name: 'Expand all' }).click()
    expect(await page.locator('.change[open]').count()).toBe(60)
    expect((await layouts()) - before).toBeLessThan(30)
    await close()
  })

  it('leaves no hole after an odd proof', async () => {
    const { page, close } = await openHtml(browser, html)
    const calls = page.locator('.calls', { hasText: 'orders?limit=101' })
    const right = async () => {
      const [all, last] = await Promise.all([
        calls.boundingBox(),
        calls.locator('.call').last().boundingBox(),
      ])
      return Math.round((all?.x ?? 0) + (all?.width ?? 0) - (last?.x ?? 0) - (last?.width ?? 0))
    }
    await calls
      .locator('.call')
      .last()
      .evaluate((call) => {
        call.parentElement?.append(call.cloneNode(true))
        if ((call.parentElement?.children.length ?? 0) % 2 === 0)
          call.parentElement?.append(call.cloneNode(true))
      })
    expect(await right()).toBe(0)
    await close()
  })

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
