// @module-tag long

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hotp, stepOf } from '../../service/identity/totp.js'
import { administrationInBrowser } from './administration.js'
import { axeFindings } from './browser.js'

describe('signing in with a second factor in a browser', () => {
  const area = administrationInBrowser()
  const { open, signIn, complaints } = area

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
      const response = await fetch(`${area.url}/admin/sign-in/passkey`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: area.url, 'content-type': 'application/x-www-form-urlencoded', ...headers },
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

  it('sets up an app by its QR code, and signs in with its codes, by the keyboard alone', async () => {
    const page = await open('/admin/sign-in')
    await signIn(page, 'admin')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.goto(`${area.url}/admin/users/1/security`)
    await page.getByRole('button', { name: 'Set up an app' }).press('Enter')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const secret = bytesOf(await page.getByLabel('Secret', { exact: true }).inputValue())
    const field = page.getByLabel('Code from the app')
    await field.fill(wrongCode(secret))
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    // Before it is turned on, the password alone signs in.
    const other = await open('/admin/sign-in')
    await signIn(other, 'admin')
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    await other.context().close()
    // The code of the step before is still right, which leaves those of this and the next step for signing in.
    const step = stepOf(Date.now())
    await field.fill(hotp(secret, step - 1))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const code = await page.locator('.codes code').first().innerText()
    await page.getByRole('link', { name: 'I have saved them' }).press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')

    const home = page.getByRole('heading', { name: 'Home' })
    const secondStep = page.getByLabel('Code from your app, or a recovery code')
    for (const right of [hotp(secret, step + 1), code]) {
      await signIn(page, 'admin')
      await secondStep.fill(wrongCode(secret))
      await page.keyboard.press('Enter')
      await page.getByText('This code is wrong, or was used already.').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await secondStep.fill(right)
      await page.keyboard.press('Enter')
      await home.waitFor()
      await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    }
    // Each signs in once.
    await signIn(page, 'admin')
    for (const used of [hotp(secret, step + 1), code]) {
      await secondStep.fill(used)
      await page.keyboard.press('Enter')
      await page.getByText('This code is wrong, or was used already.').waitFor()
    }
    // By default five codes may be wrong in 15 minutes.
    await expect
      .poll(async () => {
        await secondStep.fill(wrongCode(secret))
        await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
        return await page.getByRole('alert').innerText()
      })
      .toMatch(/^Too many attempts\. Try again in \d+ minutes\.$/)
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await page.getByText('Too many attempts.').waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })
})

/** RFC 4648 section 6. */
function bytesOf(base32: string): Buffer {
  const bits = [...base32.replaceAll(' ', '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A code of no step that could be accepted now. */
function wrongCode(secret: Buffer): string {
  const step = stepOf(Date.now())
  const right = new Set([-2, -1, 0, 1, 2].map((drift) => hotp(secret, step + drift)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? ''
}
