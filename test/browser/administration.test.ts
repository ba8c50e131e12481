// @module-tag long

import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../service/server/service.js'
import { createLog } from '../../service/settings/log.js'
import { readSettings } from '../../service/settings/settings.js'
import { newDirectory } from '../service-process.js'
import { axeFindings, axeRulesOf, openBrowser } from './browser.js'

describe('the administration area in a browser', () => {
  let directory: string
  let service: Service
  let browser: Browser
  let passwords: ReadonlyMap<string, string>

  beforeAll(async () => {
    directory = await newDirectory()
    const settings = readSettings({ PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent' }, ['1.0.0'])
    const start = () => startService(settings, createLog('silent', { write: () => {} }))
    const [opened, started] = await Promise.all([openBrowser(), start()])
    browser = opened
    // A node stores its counts when it stops: the first page then has rows in every table.
    const deprecated = `${started.url}/iam/auth/jwt/authenticate`
    const body = JSON.stringify({ login: 'nobody', password: 'wrong password' })
    await fetch(deprecated, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    await started.stop()
    service = await start()
    const { users } = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))
    passwords = new Map(users.map((user: { login: string; password: string }) => [user.login, user.password]))
  })
  afterAll(async () => {
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(service.url + path)
    return page
  }
  const signIn = async (page: Page, login: string, password = passwords.get(login) ?? '') => {
    await page.getByLabel('Login').fill(login)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const statusesOf = async (apiKey: string) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const rest = await fetch(`${service.url}/clients/1`, { headers })
    const body = '{"jsonrpc":"2.0","id":1,"method":"clients.get","params":{"id":1}}'
    const jsonrpc = await fetch(service.url, { method: 'POST', headers, body })
    return [rest.status, jsonrpc.status, ((await jsonrpc.json()) as { result?: { id: number } }).result?.id]
  }

  it('lets an administrator create a user of a Reseller, copy the key, call with it, and replace it', async () => {
    const page = await open('/admin/users', { permissions: ['clipboard-read', 'clipboard-write'] })
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await signIn(page, 'admin')
    await page.getByRole('link', { name: 'Create user' }).click()
    await page.getByLabel('Login').fill('shop')
    await page.getByLabel('Reseller').selectOption('Reseller A')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('The user is created, with an API key.').waitFor()

    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied.').waitFor()
    const key = await clipboard()
    expect(await statusesOf(key)).toEqual([200, 200, 1])
    // The call that the page shows works as it is.
    await page.getByRole('button', { name: 'Copy' }).nth(1).click()
    const { stdout } = await promisify(execFile)('sh', ['-c', `${await clipboard()} -s`])
    expect(JSON.parse(stdout)).toHaveLength(1)
    await page.reload()
    await page.getByRole('button', { name: 'Show key' }).waitFor()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('link', { name: 'shop' }).click()
    await page.locator('summary', { hasText: 'Replace' }).click()
    await page.getByLabel('The old key stops working').selectOption('in an hour')
    await page.getByRole('button', { name: 'Replace key' }).click()
    await page.getByText('The key is replaced.').waitFor()
    const next = await page.getByLabel('X-Api-Key').inputValue()
    expect([await statusesOf(key), await statusesOf(next)]).toEqual([
      [200, 200, 1],
      [200, 200, 1],
    ])
    await page.getByRole('link', { name: 'Done' }).click()
    await page.locator('summary', { hasText: 'Revoke' }).first().click()
    await page.getByRole('button', { name: 'Revoke key' }).first().click()
    await page.getByText('The API key is revoked.').waitFor()
    expect([await statusesOf(key), await statusesOf(next)]).toEqual([
      [401, 401, undefined],
      [200, 200, 1],
    ])

    await page.getByRole('link', { name: 'All changes in the audit trail' }).click()
    await expect
      .poll(() => page.locator('.call code').allInnerTexts())
      .toEqual(['admin.keys.revoke', 'admin.keys.rotate', 'admin.users.create'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await page.context().close()
  })

  it('keeps typed input across an expired session and a new sign-in, and overwrites nothing', async () => {
    const page = await open('/admin/users/3')
    await signIn(page, 'admin')
    await page.getByLabel('Role').selectOption('admin')
    await page.getByLabel('Active').uncheck()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Your session had ended, and nothing was saved.').waitFor()
    await signIn(page, 'admin', 'wrong')
    await page.getByRole('alert').waitFor()
    await signIn(page, 'admin')
    const back = page.getByText('What you typed is back, and not saved yet.')
    await back.waitFor()
    // No success notice yet.
    const [shown, success] = await back.evaluate((notice) => {
      const other = notice.cloneNode() as HTMLElement
      other.className = 'notice'
      notice.before(other)
      const colours = [notice, other].map((one) => getComputedStyle(one).backgroundColor)
      other.remove()
      return colours
    })
    expect(shown).not.toBe(success)
    expect(page.url()).toBe(`${service.url}/admin/users/3`)
    expect(await page.getByLabel('Role').inputValue()).toBe('admin')
    expect(await page.getByLabel('Active').isChecked()).toBe(false)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

    const other = await page.context().newPage()
    await other.goto(`${service.url}/admin/users/3`)
    await page.getByLabel('Login').fill('second')
    await other.getByLabel('Login').fill('first')
    await other.getByRole('button', { name: 'Save settings' }).click()
    await other.getByText('Saved.').waitFor()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await signIn(page, 'admin')
    await page.getByText('What you typed is back').waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Stored now: first').waitFor()
    expect(await page.getByLabel('Login').inputValue()).toBe('second')

    await other.reload()
    await other.getByLabel('Time zone').fill('Asia/Tokyo')
    await other.getByRole('button', { name: 'Save settings' }).click()
    await other.getByText('Saved.').waitFor()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await signIn(page, 'admin')
    await page.getByText('What you typed is back').waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Someone has changed this user').waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo')
    expect(await page.getByText('Stored now:').count()).toBe(0)
    await page.context().close()
  })

  it('keeps the input of one tab when another tab signs in again', async () => {
    const page = await open('/admin/users/new')
    await signIn(page, 'admin')
    await page.getByLabel('Login').fill('two-tabs')
    await page.getByLabel('Reseller').selectOption('Reseller A')
    await page.locator('#password').fill('a good password')
    const other = await page.context().newPage()
    await page.context().clearCookies()
    await other.goto(`${service.url}/admin/`)
    await signIn(other, 'admin')
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the form' }).click()
    await page.getByText('What you typed is back, except for passwords, and not saved yet.').waitFor()
    expect(await page.getByLabel('Login').inputValue()).toBe('two-tabs')
    expect(await page.locator('#password').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('The user is created').waitFor()
    await page.context().close()
  })

  it('sends a form once on a double click, and again later', async () => {
    const page = await open('/admin/users/new')
    await signIn(page, 'admin')
    const asked: string[] = []
    await page.getByLabel('Login').fill('clicked-twice')
    page.on('request', (request) => asked.push(request.method()))
    // As if a reader stopped loading: the page stays.
    await page.route('**/admin/users/new', (route) => route.abort('aborted'))
    const button = page.getByRole('button', { name: 'Create user' })
    await button.scrollIntoViewIfNeeded()
    const box = await button.boundingBox()
    const click = () => page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
    await click()
    await page.waitForTimeout(100)
    await click()
    await page.waitForTimeout(200)
    expect(asked).toEqual(['POST'])
    await page.waitForTimeout(800)
    await click()
    await expect.poll(() => asked).toEqual(['POST', 'POST'])
    await page.context().close()
  })

  it('hides the input of an expired session from the next user', async () => {
    const page = await open('/admin/users/2')
    await signIn(page, 'admin')
    const login = await page.getByRole('heading', { level: 1 }).innerText()
    const stored = await page.getByLabel('Time zone').inputValue()
    await page.getByLabel('Time zone').fill('Asia/Tokyo')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await signIn(page, login)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(page.url()).toBe(`${service.url}/admin/users/2`)
    expect(await page.getByLabel('Time zone').inputValue()).toBe(stored)
    expect(await page.getByText('What you typed is back').count()).toBe(0)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await page.context().close()
  })

  it('breaks no word of its areas on a narrow phone, and shows long names whole', async () => {
    const page = await open('/admin/resellers', { viewport: { width: 375, height: 700 } })
    await signIn(page, 'admin')
    await page.locator('#name').fill('Long'.repeat(30))
    await page.getByRole('button', { name: 'Create Reseller' }).click()
    await page.getByText('The Reseller is created.').waitFor()
    for (const width of [320, 335, 350, 375, 770, 1000, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      await page.goto(`${service.url}/admin/audit?entity=reseller`)
      const lines = await page.locator('.areas a').evaluateAll((links) => {
        const range = document.createRange()
        return links.map((link) => {
          range.selectNodeContents(link)
          return range.getClientRects().length
        })
      })
      expect([width, ...lines]).toEqual([width, 1, 1, 1, 1, 1])
      for (const name of [page.getByRole('link', { name: 'LongLong' }), page.locator('ins')]) {
        const right = await name
          .first()
          .evaluate((place) => Math.max(...[...place.getClientRects()].map((box) => box.right)))
        expect(right).toBeLessThanOrEqual(width)
      }
    }
    await page.context().close()
  })

  it('works without script, by the keyboard alone, and shows others only themselves', async () => {
    const page = await open('/admin/users/1', {
      javaScriptEnabled: false,
      viewport: { width: 320, height: 700 },
    })
    // `autofocus` sets the focus once the page is drawn.
    await page.locator('[name="login"]:focus').waitFor()
    await page.keyboard.type('reseller-a')
    await page.keyboard.press('Tab')
    await page.keyboard.type(passwords.get('reseller-a') ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'reseller-a' }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(0)
    expect(await page.locator('button:visible', { hasText: 'Copy' }).count()).toBe(0)

    await page.getByLabel('Time zone').fill('Nowhere')
    await page.getByLabel('Time zone').press('Enter')
    const zone = page.getByLabel('Time zone')
    await page.locator('#timezone-fault').waitFor()
    expect(await zone.inputValue()).toBe('Nowhere')
    expect(await zone.evaluate((field) => field === document.activeElement)).toBe(true)
    await zone.fill('Asia/Tokyo')
    await zone.press('Enter')
    await page.getByText('Saved.').waitFor()
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe objects to, %s, and fits a phone',
    async (colorScheme) => {
      const complaints: string[] = []
      const page = await open('/admin/sign-in', { colorScheme })
      page.on('pageerror', ({ message }) => complaints.push(message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of'))
          complaints.push(message.text())
      })
      const rules = axeRulesOf(colorScheme)
      const check = async () => {
        await page.waitForLoadState()
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        complaints.push(...(await axeFindings(page, rules)).map((finding) => `${page.url()} ${finding}`))
        if (width > 320 && page.viewportSize()?.width === 320)
          complaints.push(`${page.url()} is ${width} wide`)
      }
      await check()
      await signIn(page, 'admin', 'wrong')
      await page.getByRole('alert').waitFor()
      await check()
      await signIn(page, 'admin')
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      expect(await page.locator('tbody').filter({ hasText: 'jwt.authenticate' }).count()).toBe(2)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const path of [
          '',
          'usage',
          'users',
          'users/new',
          'resellers',
          'resellers/1',
          'audit',
          'users/1/security',
          'confirm',
          'nothing',
        ]) {
          await page.goto(`${service.url}/admin/${path}`)
          await check()
        }
        await page.goto(`${service.url}/admin/users/2`)
        for (const summary of await page.locator('main summary').all()) await summary.click()
        await check()
        await page.getByRole('button', { name: 'Show key' }).first().click()
        await page.getByRole('button', { name: 'Copy' }).first().waitFor()
        await check()
        await page.goto(`${service.url}/admin/users/2`)
        await page.getByLabel('Time zone').fill('Nowhere')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.locator('#timezone-fault').waitFor()
        await check()
      }
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})
