import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Service, startService } from '../../service/server/service.js'
import { createLog } from '../../service/settings/log.js'
import { readSettings } from '../../service/settings/settings.js'
import { newDirectory } from '../service-process.js'
import { openBrowser } from './browser.js'

/** The administration area over the sample data, in a browser, for all tests of a block. */
export interface AdministrationInBrowser {
  /** Under a host name, for which browsers keep passkeys. */
  readonly url: string
  /** Errors of all pages that were opened. */
  readonly complaints: readonly string[]
  passwordOf(login: string): string
  /** Opens a path in a context of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  signIn(page: Page, login: string, password?: string): Promise<void>
}

export function administrationInBrowser(): AdministrationInBrowser {
  let directory: string
  let service: Service
  let browser: Browser
  let url: string
  let passwords: ReadonlyMap<string, string>
  const complaints: string[] = []

  beforeAll(async () => {
    directory = await newDirectory()
    const settings = readSettings({ PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent' }, ['1.0.0'])
    ;[browser, service] = await Promise.all([
      openBrowser(),
      startService(settings, createLog('silent', { write: () => {} })),
    ])
    url = service.url.replace('127.0.0.1', 'localhost')
    const { users } = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))
    passwords = new Map(users.map((user: { login: string; password: string }) => [user.login, user.password]))
  })
  afterAll(async () => {
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const passwordOf = (login: string) => passwords.get(login) ?? ''
  return {
    get url() {
      return url
    },
    complaints,
    passwordOf,
    async open(path, options = {}) {
      const page = await (await browser.newContext(options)).newPage()
      page.on('pageerror', ({ message }) => complaints.push(message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of'))
          complaints.push(message.text())
      })
      page.on('dialog', async (dialog) => {
        complaints.push(`a dialog: ${dialog.message()}`)
        await dialog.dismiss()
      })
      await page.goto(url + path)
      return page
    },
    async signIn(page, login, password = passwordOf(login)) {
      await page.getByLabel('Login').fill(login)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
  }
}
