// @module-tag long

import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../generator/diff/changelog/history.js'
import { renderChangelog } from '../../generator/diff/changelog/render.js'
import { axeFindings, openBrowser, openHtml } from './browser.js'

const none = { breaking: [], added: [], changed: [], deprecated: [], removed: [] }
const releases: Release[] = [
  {
    version: '1.1.0',
    since: '1.0.0',
    verdict: { rest: 'breaking', jsonrpc: 'compatible' },
    entries: {
      ...none,
      breaking: [
        {
          operation: 'orders.get',
          operations: ['orders.get'],
          message: '<b>moved</b>',
          protocols: ['rest'],
          advice: 'Call the new path.',
        },
      ],
      removed: [
        { operation: null, operations: [], message: 'the tag a was removed', protocols: ['rest', 'jsonrpc'] },
      ],
    },
  },
  { version: '1.0.0', since: null, verdict: null, entries: none },
]

const surroundings = {
  days: new Map([['1.1.0', '2026-05-01']]),
  references: new Map([
    ['1.1.0', { index: '1.1.0/index.html', operation: (name: string) => `1.1.0/orders.html#${name}` }],
  ]),
}

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

describe('the changelog in a browser', () => {
  it.each(['light', 'dark'] as const)(
    'has nothing that axe objects to, %s, and loads nothing',
    async (theme) => {
      const { page, complaints, close } = await openHtml(
        browser,
        renderChangelog('Shop', releases, 'html', surroundings),
        {
          viewport: { width: 320, height: 700 },
        },
      )
      await page.getByLabel('Theme').selectOption(theme)
      expect(await page.locator('.entries li').allInnerTexts()).toEqual([
        expect.stringMatching(/^orders\.get <b>moved<\/b> REST only\s+Call the new path\.$/),
        'The tag a was removed',
      ])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      expect(await axeFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('has an anchor, a day and the reference of each version', async () => {
    const html = renderChangelog('Shop', releases, 'html', surroundings)
    const { page, close } = await openHtml(browser, html)
    expect(
      await page.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual([
      '#releases',
      '#v1.1.0',
      '#v1.0.0',
      '#v1.1.0',
      '1.1.0/index.html',
      '1.1.0/orders.html#orders.get',
      '#v1.0.0',
    ])
    const day = page.locator('time')
    expect(await day.allInnerTexts()).toEqual(['2026-05-01'])
    const lines = await day.evaluate((time) => {
      time.parentElement?.style.setProperty('width', '3em')
      const range = document.createRange()
      range.selectNodeContents(time)
      return range.getClientRects().length
    })
    expect(lines).toBe(1)
    await close()
  })
})
