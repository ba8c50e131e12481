// @module-tag long

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { administrationInBrowser } from './administration.js'
import { axeFindings, axeRulesOf } from './browser.js'

describe('pages of the administration area that few see', () => {
  const area = administrationInBrowser()
  const { open, signIn, complaints } = area

  it.each(['light', 'dark'] as const)(
    'have nothing that axe objects to, %s, and fit a phone',
    async (colorScheme) => {
      const found: string[] = []
      const page = await open('/admin/users', { colorScheme })
      const check = async (what: string) => {
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          found.push(
            ...(await axeFindings(page, axeRulesOf(colorScheme))).map((finding) => `${what}: ${finding}`),
          )
          if (wide > width) found.push(`${what} is ${wide} wide at ${width}`)
        }
      }
      await signIn(page, 'admin')
      await page.getByRole('heading', { name: 'Users' }).waitFor()
      const at = async (path: string, text: string) => {
        await page.goto(area.url + path)
        await page.getByText(text).first().waitFor()
        await check(path)
      }
      await at('/admin/users?q=nobody-here', 'No user')
      await at('/admin/resellers?q=nobody-here', 'No Reseller')
      await at('/admin/audit?request=nothing', 'Nothing matches the filter.')
      await at('/admin/audit?user=nobody-here&from=2026-13-01', 'Enter a day, such as 2026-01-31.')
      await at('/admin/usage', 'Usage')

      // A user with no password, whose keys come and go.
      await page.goto(`${area.url}/admin/users/new`)
      await page.getByLabel('Login').fill(`rare-${colorScheme}`)
      await page.getByLabel('Reseller').selectOption('Reseller A')
      await page.getByRole('button', { name: 'Create user' }).click()
      await page.getByRole('link', { name: 'Done' }).click()
      await page.locator('summary', { hasText: 'Replace' }).click()
      await check('the form to replace a key')
      await page.getByLabel('The old key stops working').selectOption('in an hour')
      await page.getByRole('button', { name: 'Replace key' }).click()
      await page.getByText('The key is replaced.').waitFor()
      await check('a replaced key')
      await page.getByRole('link', { name: 'Done' }).click()
      await page
        .getByRole('button', { name: /^Show key/ })
        .first()
        .waitFor()
      await check('a user with a key and a replaced one')
      for (const _ of [1, 2]) {
        await page.locator('summary', { hasText: 'Revoke' }).first().click()
        await page.getByRole('button', { name: 'Revoke key' }).first().click()
        await page.getByText('The API key is revoked.').waitFor()
      }
      await page.getByText('None: the user cannot call the API.').waitFor()
      await page.getByText('Nobody is signed in as this user.').waitFor()
      await check('a user without keys and sessions')

      // Two people change one field.
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.getByLabel('Time zone').fill('Asia/Tokyo')
      await other.getByRole('button', { name: 'Save settings' }).click()
      await other.getByText('Saved.').waitFor()
      await page.getByLabel('Time zone').fill('Europe/Berlin')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.getByText('Stored now:').waitFor()
      await check('a conflict')

      // A form that is too long.
      await page.goto(`${area.url}/admin/resellers`)
      await page.locator('#name').evaluate((field) => field.removeAttribute('maxlength'))
      await page.locator('#name').fill('x'.repeat(70_000))
      await page.getByRole('button', { name: 'Create Reseller' }).click()
      await page.getByText('A form may have at most 64 KiB.').waitFor()
      await check('a form that is too long')
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.method()))
      await page.reload()
      await page.getByText('A form may have at most 64 KiB.').waitFor()
      expect(new Set(requests)).toEqual(new Set(['GET']))

      // Five codes may be wrong in 15 minutes.
      await page.goto(`${area.url}/admin/users/1/security`)
      await page.getByRole('button', { name: 'Set up an app' }).click()
      await expect
        .poll(async () => {
          const field = page.getByLabel('Code from the app')
          await field.fill('1')
          await Promise.all([page.waitForEvent('load'), field.press('Enter')])
          return await page.getByRole('heading', { level: 1 }).innerText()
        })
        .toBe('Too many requests')
      await check('too many codes')
      await page.context().close()
      expect(found).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('search the audit trail for anything, which stays text', async () => {
    const page = await open('/admin/audit')
    await signIn(page, 'admin')
    await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
    const scripts = await page.locator('script').count()
    const answered: [string, string, number][] = []
    for (const value of hostile) {
      for (const name of ['action', 'entity', 'id', 'user', 'protocol', 'request', 'from', 'to', 'before'])
        for (const path of ['/admin/audit', '/admin/audit.csv']) {
          const query = new URLSearchParams({ ...(name === 'id' && { entity: 'user' }), [name]: value })
          const response = await page.request.get(`${area.url}${path}?${query}`)
          if (![200, 422].includes(response.status())) answered.push([name, value, response.status()])
          expect(await response.text()).not.toMatch(/<script>|<b>|<img/)
        }
      // All three fit into the head of a request.
      const text = value.slice(0, 4_000)
      const query = new URLSearchParams({ entity: 'user', id: text, user: text, request: text })
      await page.goto(`${area.url}/admin/audit?${query}`)
      expect(await page.locator('script').count()).toBe(scripts)
      for (const name of ['id', 'user', 'request'])
        expect(await page.locator(`#${name}`).inputValue()).toBe(asField(text))
    }
    expect(answered).toEqual([])
    // The search knows no patterns: % and _ are letters like others.
    await page.goto(`${area.url}/admin/audit`)
    for (const pattern of ['%', '_', 'admi_', "' or '1'='1"]) {
      await searchFor(page, pattern)
      await page.getByText('Nothing matches the filter.').waitFor()
    }
    await searchFor(page, 'admin')
    await page.locator('.call').first().waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })
})

async function searchFor(page: Page, name: string): Promise<void> {
  await page.getByLabel('Object').selectOption('User')
  await page.getByLabel('Its name or number').fill(name)
  await page.getByRole('button', { name: 'Search' }).click()
}

const hostile = [
  "'; drop table audit; --",
  "' or '1'='1",
  '%',
  '_',
  '\\',
  '"\'`',
  '"><script>alert(1)</script>',
  '"><b>bold</b><img src=x onerror=alert(1)>',
  '{{constructor}}',
  '\0',
  'a\0b',
  '\ud800',
  'x'.repeat(10_240),
  '\u202eevil\u202c \u05d0\u05d1\u05d2',
  '9'.repeat(400),
  '-1',
  '1e999',
]

/** A field of one line, as browsers show its value: lone surrogates and NUL are replaced on the way. */
function asField(value: string): string {
  return value.replaceAll(/[\0\ud800]/g, '\ufffd').trim()
}
