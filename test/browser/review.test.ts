import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ChangeUsage } from '../../generator/diff/change/change.js'
import { waiversText } from '../../generator/diff/gate/waiver-text.js'
import { render } from '../../generator/diff/report/render.js'
import { review, reviewTexts } from '../fixtures/review.js'
import { axeFindings, openBrowser, openHtml } from './browser.js'

const html = render(review, 'html', { texts: reviewTexts })

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

/** The text of the visible changes. */
async function shown(page: Page): Promise<string[]> {
  return await page.locator('.item:visible .message').allInnerTexts()
}

const customer = 'Customer.email may now be null'
const removed = 'DELETE /orders was removed'
const limit = 'The query parameter limit: maximum became smaller (1000 to 100)'
const pattern = 'The query parameter code: pattern changed'
const state = 'The query parameter state was added'
const description = 'The description changed'

const restProof = `curl "$BASE_URL/orders?limit=101" \\\n  -H 'X-Note: it'\\''s'`
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

describe('the review page in a browser', () => {
  it('says first which API it is, what breaks, and for whom', async () => {
    const { page, close } = await openHtml(browser, html)
    expect(await page.title()).toBe('Shop 1.0.0 to 1.1.0: API review')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Shop 1\.0\.0/)
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(
      '3 breaking changes, 1 waived. REST and JSON-RPC callers must change.',
    )
    expect(await page.locator('.verdict').allInnerTexts()).toEqual([
      expect.stringMatching(/^REST\s+breaking\s+3 breaking \(1 waived\), 1 dangerous/),
      expect.stringMatching(/^JSON-RPC\s+breaking\s+2 breaking \(1 waived\)/),
      expect.stringMatching(/^Version bump\s+not enough\s+major required, minor declared/),
    ])
    await close()
  })

  it('filters by protocol, level, waiver and text, in the counts and in the address, and resets', {
    tags: 'long',
  }, async () => {
    const { page, complaints, close } = await openHtml(browser, html)
    const count = page.locator('[data-count]')
    expect(await shown(page)).toEqual([customer, removed, limit, pattern, state, description])

    await page.getByRole('radio', { name: 'JSON-RPC' }).check()
    await expect.poll(() => shown(page)).toEqual([customer, removed, pattern, state, description])
    await expect.poll(() => count.innerText()).toBe('5 of 6 shown')
    await expect.poll(() => page.locator('[data-level-count="breaking"]').innerText()).toBe('2')

    for (const level of ['compatible', 'dangerous', 'info']) await page.getByLabel(level).uncheck()
    await expect.poll(() => shown(page)).toEqual([customer, removed])
    await expect.poll(() => page.locator('[data-protocol-count="rest"]').innerText()).toBe('3')
    await page.getByLabel('Hidden').check()
    await expect.poll(() => shown(page)).toEqual([customer])
    expect(await page.getByRole('link', { name: 'orders.clear' }).isVisible()).toBe(false)

    await page.reload()
    expect(await shown(page)).toEqual([customer])
    expect(await page.getByRole('radio', { name: 'JSON-RPC' }).isChecked()).toBe(true)
    expect(new URL(page.url()).searchParams.getAll('no-level')).toEqual(['dangerous', 'compatible', 'info'])

    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => shown(page)).toHaveLength(6)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.getByLabel('Operation or text').fill('CUSTOMERS.search')
    await expect.poll(() => shown(page)).toEqual([customer])
    await page.getByLabel('Operation or text').fill('custmers.serach')
    await expect.poll(() => shown(page)).toEqual([customer])
    await page.getByLabel('Operation or text').fill('nothing like it')
    await expect.poll(() => page.getByText('No change matches the filter.').isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })

  it.each([360, 720])(
    'does not scroll sideways, however long title and versions are: %i px wide',
    async (width) => {
      const named = {
        ...{ ...review, title: 'A service with a long name '.repeat(4) },
        new: { ...review.new, version: '1.1.0-with-a-very-long-pre-release.20261128.build-7' },
      }
      const { page, close } = await openHtml(browser, render(named, 'html'), {
        viewport: { width, height: 800 },
      })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await close()
    },
  )

  it('shows a change that is linked, although the filters of the address hide it', async () => {
    const { page, complaints, close } = await openHtml(browser, html)
    await page.goto(`${page.url()}?no-level=breaking#change-00000000000000c3`)
    await expect.poll(() => shown(page)).toContain(limit)
    expect(page.url()).not.toContain('no-level')
    expect(complaints).toEqual([])
    await close()
  })

  it('copies the proofs as command lines', async () => {
    const { page, complaints, close } = await openHtml(browser, html, clipboard)
    const change = page.locator('.change').filter({ hasText: limit })
    await change.getByRole('button', { name: 'Copy the proof over REST' }).click()
    await expect.poll(() => copied(page)).toBe(restProof)
    await change.getByRole('button', { name: 'Copied the proof over REST' }).waitFor()
    expect(await axeFindings(page, ['label-content-name-mismatch'])).toEqual([])
    await change.getByRole('button', { name: 'Copy the proof over JSON-RPC' }).press('Enter')
    await expect
      .poll(() => copied(page))
      .toBe(
        `curl "$BASE_URL/" \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{"jsonrpc":"2.0","id":1,"method":"orders.search","params":{"limit":101}}'`,
      )
    expect(complaints).toEqual([])
    await close()
  })

  it('has a proof on the first screen, one click from its copy, or two if it is folded', async () => {
    const { page, close } = await openHtml(browser, html, {
      ...clipboard,
      viewport: { width: 1440, height: 900 },
    })
    const first = page.getByRole('button', { name: /^Copy the proof/ }).first()
    expect((await first.boundingBox())?.y).toBeLessThan(900)
    await first.click()
    await expect.poll(() => copied(page)).toContain('"email": null')
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await page.locator('summary', { hasText: limit }).click()
    await page
      .locator('.change', { hasText: limit })
      .getByRole('button', { name: /over REST/ })
      .click()
    await expect.poll(() => copied(page)).toBe(restProof)
    await close()
  })

  it('copies a waiver as `--format waivers` writes it', async () => {
    const { page, close } = await openHtml(browser, html, clipboard)
    const { changes } = review
    const entriesOf = (message: string) =>
      waiversText(
        review,
        changes.filter((change) => change.message.includes(message)),
      ).replace(/^#.*\n/, '')
    for (const [text, message] of [
      [limit, 'became smaller'],
      [customer, 'may now be null'],
    ] as const) {
      const change = page.locator('.change').filter({ hasText: text })
      await change.getByRole('button', { name: 'Copy waiver' }).click()
      await expect.poll(() => copied(page)).toBe(entriesOf(message))
    }
    const waived = page.locator('.change').filter({ hasText: removed })
    expect(await waived.getByRole('button', { name: 'Copy waiver' }).count()).toBe(0)
    await close()
  })

  it('keeps what is viewed by fingerprint, folds it, counts it and hides it', async () => {
    const { page, complaints, close } = await openHtml(browser, html)
    const linked = page.locator('[id="change-00000000000000c3"]')
    expect(await linked.getAttribute('open')).toBe('')
    await page.getByLabel(`Viewed: ${limit.replace('The', 'the')}`).check()
    await expect.poll(() => linked.getAttribute('open')).toBe(null)
    await page.reload()
    expect(await linked.getAttribute('open')).toBe(null)
    expect(await page.getByRole('status').innerText()).toContain('1 of 6 viewed')
    await page.getByLabel('Hide viewed').check()
    await expect.poll(() => shown(page)).toEqual([customer, removed, pattern, state, description])
    expect(complaints).toEqual([])
    await close()
  })

  it('works by single keys, which a reader can turn off', async () => {
    const { page, complaints, close } = await openHtml(browser, html, clipboard)
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.message')?.textContent)
    await page.keyboard.press('j')
    expect(await focused()).toBe(customer)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused()).toBe(limit)
    await page.keyboard.press('c')
    await expect.poll(() => copied(page)).toBe(restProof)
    await page.keyboard.press('w')
    await expect.poll(() => copied(page)).toContain("fingerprint: '00000000000000c3'")
    await page.keyboard.press('v')
    await page.keyboard.press('k')
    expect(await focused()).toBe(removed)
    expect(await page.getByLabel(/^Viewed: the query parameter limit/).isChecked()).toBe(true)

    await page.keyboard.press('?')
    expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true)
    await page.getByLabel('Use single keys').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).not.toBe('text')
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByLabel('Use single keys').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('jk?')
    expect(await page.getByLabel('Operation or text').inputValue()).toBe('jk?')
    expect(complaints).toEqual([])
    await close()
  })

  it('links to the references of both versions', async () => {
    const reference = (base: string) => ({
      index: `${base}/index.html`,
      operation: (name: string) => (name === 'orders.search' ? `${base}/orders.html#${name}` : undefined),
    })
    const references = { old: reference('v1'), new: reference('v2') }
    const { page, close } = await openHtml(browser, render(review, 'html', { references }))
    const links = (within: Locator) =>
      within.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(await links(page.locator('.top'))).toEqual(['v1/index.html', 'v2/index.html'])
    const change = page.locator('.change').filter({ hasText: limit })
    expect((await links(change)).slice(0, 2)).toEqual([
      'v1/orders.html#orders.search',
      'v2/orders.html#orders.search',
    ])
    await close()
  })

  it('says that a row has no proof to copy, until the next row', async () => {
    const { page, close } = await openHtml(browser, html, clipboard)
    await page.locator('.item', { hasText: description }).locator('summary').first().focus()
    await page.keyboard.press('c')
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(['This row has no proof to copy.'])
    await page.keyboard.press('k')
    expect(await page.getByRole('alert').count()).toBe(0)
    await close()
  })

  it('shows who handles a change and who calls it', async () => {
    const [first, ...others] = review.changes
    if (first === undefined) throw new Error('The review has changes')
    const usage: ChangeUsage = {
      verdict: 'used',
      text: 'hit by 2 consumers over REST, last on 2026-11-20',
      ...{ consumers: 2, hits: 9, calls: 90, sampled: 90, last: '2026-11-20' },
    }
    const changes = [{ ...first, usage, adapter: '1.0.0-1.1.0.ts, tried on 100 values' }, ...others]
    const { page, close } = await openHtml(browser, render({ ...review, changes }, 'html'))
    const row = page.locator('.item').filter({ hasText: customer })
    expect(await row.locator('.tags span').allInnerTexts()).toEqual([
      'Responses',
      '4 operations',
      'Adapted',
      'hit by 2 consumers over REST, last on 2026-11-20',
    ])
    expect(await page.locator('.verdict', { hasText: 'Usage' }).innerText()).toContain(
      'Of 1 breaking or dangerous change, 1 is in use',
    )
    await row.locator('summary').click()
    expect(await row.getByText('Adapted by 1.0.0-1.1.0.ts').isVisible()).toBe(true)
    expect(await row.getByText('customers.get').first().isVisible()).toBe(true)
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
})
