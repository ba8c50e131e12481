// @module-tag long

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hotp, stepOf } from '../../service/identity/totp.js'
import { type Service, startService } from '../../service/server/service.js'
import { createLog } from '../../service/settings/log.js'
import { readSettings } from '../../service/settings/settings.js'
import { newDirectory } from '../service-process.js'
import { axeFindings, openBrowser } from './browser.js'

describe('signing in with a second factor in a browser', () => {
  let directory: string
  let service: Service
  let browser: Browser
  let url: string
  let passwords: ReadonlyMap<string, string>

  beforeAll(async () => {
    directory = await newDirectory()
    const settings = readSettings({ PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent' }, ['1.0.0'])
    ;[browser, service] = await Promise.all([
      openBrowser(),
      startService(settings, createLog('silent', { write: () => {} })),
    ])
    // Browsers keep passkeys for names alone.
    url = service.url.replace('127.0.0.1', 'localhost')
    const { users } = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))
    passwords = new Map(users.map((user: { login: string; password: string }) => [user.login, user.password]))
  })
  afterAll(async () => {
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const complaints: string[] = []
  const open = async (path: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of')) complaints.push(message.text())
    })
    await page.goto(url + path)
    return page
  }
  const withAuthenticator = async (page: Page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return { session, authenticatorId }
  }
  const signIn = async (page: Page, login: string) => {
    await page.getByLabel('Login').fill(login)
    await page.getByLabel('Password').fill(passwords.get(login) ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  it('adds a passkey, and signs in with it alone and after the password', async () => {
    const page = await open('/admin/sign-in')
    const { session, authenticatorId } = await withAuthenticator(page)
    await signIn(page, 'reseller-a')
    await page.getByRole('link', { name: 'Sign-in security' }).click()
    await page.getByRole('heading', { name: 'Sign-in security' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    // A name that would be refused leaves nothing on the device.
    for (const name of ['', ' ', 'a\u202eb']) {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await page.locator('#passkey_name:focus:invalid').waitFor()
    }
    expect(await session.send('WebAuthn.getCredentials', { authenticatorId })).toEqual({ credentials: [] })
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByText('Laptop', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'reseller-a' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()

    await signIn(page, 'reseller-a')
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'reseller-a' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()

    // The same device under another origin has no passkey of this one.
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used. Try again.').waitFor()
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.context().close()
  })

  it('refuses an answer that was sent before, and one that was changed', async () => {
    const page = await open('/admin/sign-in')
    const { session, authenticatorId } = await withAuthenticator(page)
    await signIn(page, 'reseller-b')
    await page.getByRole('link', { name: 'Sign-in security' }).click()
    await page.getByLabel('Name').fill('Key')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/admin/sign-in/passkey')) sent.push(request.postData() ?? '')
    })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'reseller-b' }).waitFor()
    const [body = ''] = sent
    const send = async (text: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${url}/admin/sign-in/passkey`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: text,
      })
      return response.headers.get('location')
    }
    expect(await send(body)).toBe('/admin/sign-in?done=key')
    const answer = JSON.parse(new URLSearchParams(body).get('passkey') ?? '')
    const forged = { ...answer, response: { ...answer.response, signature: 'AAAA' } }
    expect(await send(new URLSearchParams({ passkey: JSON.stringify(forged) }).toString())).toBe(
      '/admin/sign-in?done=key',
    )
    // A credential that only the device still has.
    await page.getByRole('link', { name: 'Sign-in security' }).click()
    await page.getByRole('button', { name: 'Remove the passkey Key' }).click()
    await page.getByText('The passkey is removed.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('This passkey was not accepted here.')
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await page.context().close()
  })

  it('sets up an app by its QR code, by the keyboard alone', async () => {
    const page = await open('/admin/sign-in')
    await signIn(page, 'admin')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.goto(`${url}/admin/users/1/security`)
    await page.getByRole('button', { name: 'Set up an app' }).press('Enter')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const text = (await page.getByLabel('Secret', { exact: true }).inputValue()).replaceAll(' ', '')
    const bits = [...text].map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    const secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
    await page.getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong.').waitFor()
    await page.getByLabel('Code from the app').fill(hotp(secret, stepOf(Date.now())))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const code = await page.locator('.codes code').first().innerText()
    await page.getByRole('link', { name: 'I have saved them' }).press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await signIn(page, 'admin')
    await page.getByLabel('Code from your app, or a recovery code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })
})
