// @module-tag long

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
      breaking: [{ operation: 'orders.get', message: '<b>moved</b>', protocols: ['rest'] }],
      removed: [{ operation: null, message: 'a tag was removed', protocols: ['rest', 'jsonrpc'] }],
    },
  },
  { version: '1.0.0', since: null, verdict: null, entries: none },
]

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
})

describe('the changelog in a browser', () => {
  it.each(['light', 'dark'] as const)(
    'has nothing that axe objects to, %s, and loads nothing',
    async (theme) => {
      const { page, complaints, close } = await openHtml(browser, renderChangelog('Shop', releases, 'html'), {
        viewport: { width: 320, height: 700 },
      })
      await page.getByLabel('Theme').selectOption(theme)
      expect(await page.locator('.entries li').allInnerTexts()).toEqual([
        'orders.get <b>moved</b> REST only',
        'a tag was removed',
      ])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      expect(await axeFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    },
  )
})
