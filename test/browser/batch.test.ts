// @module-tag long

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startKinds } from './kinds.js'
import { authorize, consoleOf } from './reference-page.js'

let browser: Browser
let mock: Mock
let page: Page
let form: Locator

beforeAll(async () => {
  ;[browser, mock] = await Promise.all([openBrowser(), startKinds()])
})
afterAll(async () => {
  await mock?.close()
})

beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  // The reference is at the root, the operations below the path of the first server.
  await page.goto(new URL('/reference/things.html#things.make', mock.url).href)
  form = consoleOf(page, 'things.make')
  await form.getByText(/optional fields$/).click()
  await form.getByLabel('kind required').selectOption('small')
  return () => page.context().close()
})

describe('the drawer of a batch', () => {
  const add = () => form.getByRole('button', { name: 'Add to batch' }).click()
  const drawer = () => page.locator('.batch')
  const status = () => drawer().getByRole('status')
  const sendBatch = () => drawer().getByRole('button', { name: 'Send batch' }).click()

  it('distinguishes a batch that fails in part', async () => {
    await add()
    await form.getByLabel('price required').fill('-1')
    await sendBatch()
    await expect.poll(() => status().innerText()).toMatch(/^200 in \d+ ms$/)
    expect(await status().getAttribute('class')).toBe('status fine')
    await add()
    await expect.poll(() => status().innerText()).toBe('')
    expect(await page.getByLabel('Batch response').isVisible()).toBe(false)
    await sendBatch()
    await expect.poll(() => status().innerText()).toMatch(/^200 in \d+ ms, 1 of 2 failed$/)
    expect(await status().getAttribute('class')).toBe('status wrong')
    const [answer, request] = await Promise.all(
      ['Batch response', 'Batch request'].map((name) => page.getByLabel(name).boundingBox()),
    )
    expect(answer?.y).toBeLessThan(request?.y ?? 0)
    // High enough for the drawer to cover no link of the page.
    await page.setViewportSize({ width: 1280, height: 3200 })
    expect(await axeFindings(page)).toEqual([])
  })

  it('folds for the response of a call', async () => {
    await add()
    expect(await drawer().getAttribute('open')).toBe('')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await form.locator('.live:visible .status', { hasText: /^204/ }).waitFor()
    expect(await drawer().getAttribute('open')).toBe(null)
  })

  it('sends nothing to an invalid address', async () => {
    await authorize(page, { 'Base URL': '127.0.0.1:1' })
    await add()
    await sendBatch()
    await expect.poll(() => status().innerText()).toMatch(/^Not sent\. The base URL/)
  })

  it('keeps the focus of a keyboard: at the next Remove, at the summary, at the content', async () => {
    for (const price of ['1', '2', '3']) {
      await form.getByLabel('price required').fill(price)
      await add()
    }
    const focused = () => page.evaluate(() => document.activeElement?.parentElement?.textContent ?? '')
    await page.getByText('JSON-RPC batch of 3').waitFor()
    await drawer().getByRole('button', { name: 'Remove' }).nth(1).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toMatch(/"price":3/)
    await page.keyboard.press('Enter')
    const name = () => page.evaluate(() => document.activeElement?.tagName)
    await expect.poll(name).toBe('SUMMARY')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    expect(await drawer().getAttribute('open')).toBeNull()
    expect(await name()).toBe('SUMMARY')
    await page.keyboard.press('Enter')
    await drawer().getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(name).toBe('MAIN')
    expect(await drawer().isVisible()).toBe(false)
  })

  it('hides nothing that has the focus (WCAG 2.2, 2.4.11)', async () => {
    await page.setViewportSize({ width: 700, height: 700 })
    await add()
    await page.getByText('JSON-RPC batch of 1').waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    await page.locator('.brand a').focus()
    const hidden: (string | undefined)[] = []
    let seen = 0
    for (; seen < 60; seen += 1) {
      await page.keyboard.press('Tab')
      const found = await page.evaluate(() => {
        const place = document.activeElement
        const edge = document.querySelector('.batch')?.getBoundingClientRect().top ?? 0
        if (place === null || place.closest('.batch') !== null) return undefined
        return { text: place.outerHTML.slice(0, 80), isHidden: place.getBoundingClientRect().top >= edge }
      })
      if (found === undefined) break
      if (found.isHidden) hidden.push(found.text)
    }
    expect(seen).toBeGreaterThan(20)
    expect(hidden).toEqual([])
    const height = (await drawer().boundingBox())?.height
    expect(height).toBeLessThanOrEqual(350)
  })
})
