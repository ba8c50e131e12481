// @module-tag long

import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { administrationInBrowser } from './administration.js'
import { axeFindings } from './browser.js'

describe('a person in the administration area', () => {
  const area = administrationInBrowser()
  const { open, signIn, complaints } = area

  it('ends another session from the list, which is signed out at its next request', async () => {
    const [one, other] = [await open('/admin/users/2'), await open('/admin/users/2')]
    for (const page of [one, other]) await signIn(page, 'reseller-a')
    await other.getByRole('heading', { name: 'Sessions' }).waitFor()
    await other.getByLabel('Time zone').fill('Asia/Tokyo')
    await one.reload()
    const ends = one.getByRole('button', { name: /^End the session / })
    expect(await ends.count()).toBe(2)
    await one.locator('.sessions li').filter({ hasNotText: 'this session' }).getByRole('button').click()
    await one.getByText('The session has ended.').waitFor()
    expect(await ends.count()).toBe(1)
    expect(await axeFindings(one)).toEqual([])

    await other.getByRole('button', { name: 'Save settings' }).click()
    await other.getByText('Your session had ended, and nothing was saved.').waitFor()
    expect(await axeFindings(other)).toEqual([])
    await other.goto(`${area.url}/admin/users/2`)
    await other.getByText('Sign in to continue.').waitFor()
    await signIn(other, 'reseller-a')
    await other.getByRole('heading', { name: 'Sessions' }).waitFor()

    // The end of one's own session leads to the sign-in page.
    await other.getByRole('button', { name: 'End all sessions' }).click()
    await other.getByText('All your sessions have ended.').waitFor()
    await one.getByRole('link', { name: 'Sign-in security' }).click()
    await one.getByText('Sign in to continue.').waitFor()
    for (const page of [one, other]) await page.context().close()
    expect(complaints).toEqual([])
  })

  it('creates a user and a key, copies its secret and signs out, by the keyboard alone', async () => {
    const page = await open('/admin/users', { permissions: ['clipboard-read', 'clipboard-write'] })
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.locator('[name="login"]:focus').waitFor()
    await page.keyboard.type('admin')
    await press('Tab')
    await page.keyboard.type(area.passwordOf('admin'))
    await press('Enter')
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    // The first stop leads past the navigation.
    await press('Tab', 'Enter', 'Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    await tabTo(page, page.getByRole('link', { name: 'Create user' }))
    await press('Enter')
    await page.getByRole('heading', { name: 'Create user' }).waitFor()
    await tabTo(page, page.getByLabel('Login'))
    await page.keyboard.type('by-keyboard')
    await tabTo(page, page.getByLabel('Reseller'))
    await page.keyboard.type('Reseller B')
    await tabTo(page, page.getByRole('button', { name: 'Create user' }))
    await press('Enter')
    await page.getByText('The user is created, with an API key.').waitFor()
    const first = await page.getByLabel('X-Api-Key').inputValue()

    await tabTo(page, page.getByRole('link', { name: 'Done' }))
    await press('Enter')
    await page.getByRole('heading', { name: 'by-keyboard' }).waitFor()
    await tabTo(page, page.locator('summary', { hasText: 'Create key' }))
    await press('Enter')
    await tabTo(page, page.locator('#key_name'))
    await page.keyboard.type('Second')
    await press('Enter')
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Copy' }).first())
    await press('Enter')
    await page.getByText('Copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^bk_/)
    expect(copied).not.toBe(first)
    // What every user may read, and a client of another Reseller.
    const statusOf = async (path: string) =>
      (await fetch(area.url + path, { headers: { 'x-api-key': copied } })).status
    expect([await statusOf('/lnp/gateways?limit=1'), await statusOf('/clients/1')]).toEqual([200, 404])

    await tabTo(page, page.getByRole('button', { name: 'Sign out' }))
    await press('Enter')
    await page.getByText('You are signed out.').waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })
})

/** Presses Tab until the element has the focus, which must be visible at each stop. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < mostStops && !(await isThere()); stop++) {
    await page.keyboard.press('Tab')
    const hidden = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return undefined
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const isShown = (outlineStyle !== 'none' || boxShadow !== 'none') && width > 1 && height > 1
      return isShown ? undefined : element.outerHTML
    })
    expect(hidden).toBeUndefined()
  }
  expect(await isThere(), await page.evaluate(() => document.activeElement?.outerHTML)).toBe(true)
}

/** More than any page has. */
const mostStops = 120
