// @module-tag long

import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mock } from '../../generator/mock/server.js'
import { axeFindings, openBrowser } from './browser.js'
import { startKinds } from './kinds.js'
import { authorize, consoleOf, over } from './reference-page.js'

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
  // The document has no value for it.
  expect(await form.getByLabel('kind required').inputValue()).toBe('')
  await form.getByLabel('kind required').selectOption('small')
  return () => page.context().close()
})

const field = (name: string) => form.getByLabel(name, { exact: true })
/** What came back over REST and over JSON-RPC. */
const statuses = () => form.locator('.live .status').allTextContents()
const send = () => form.getByRole('button', { name: 'Send', exact: true }).click()
/** Sends over one protocol after the other. */
const sendOverEach = async () => {
  for (const protocol of ['JSON-RPC', 'REST'] as const) {
    await over(form, protocol)
    await send()
    const answered = form.locator('.live:visible .status')
    await expect.poll(() => answered.textContent()).toMatch(/^(Not sent|\d)/)
  }
}
const faultAt = (name: string) =>
  field(name).evaluate((control) => control.closest('.field')?.querySelector('.wrong')?.textContent)
/** Whether the request is a call, not the page's check of the served version. */
const isCall = (request: Request) => !request.url().endsWith('/openapi.json')
const params = async () => {
  const shown = (await form.getByLabel('Request over JSON-RPC').textContent()) ?? ''
  return JSON.parse(shown.slice(shown.indexOf('{'))).params
}

describe('the form of an operation', () => {
  it('sends values of every kind with their types', async () => {
    await form.getByLabel('kind required').selectOption('large')
    await field('since').fill('2026-01-01T00:00:00Z')
    await form.getByRole('button', { name: 'Add to ids' }).click()
    await form.getByRole('button', { name: 'Add to ids' }).click()
    await form.getByRole('textbox', { name: 'ids 1' }).fill('7')
    await form.getByRole('textbox', { name: 'ids 2' }).fill('8')
    await form.getByRole('button', { name: 'Remove ids 1' }).click()
    await form.getByLabel('price required').fill('1.50')
    await field('isNew').selectOption('false')
    await field('note null').check()
    await field('mail').fill('a@b.example')
    await field('extra').fill('{"a": 1}')
    await expect.poll(params).toEqual({
      ...{ kind: 'large', since: '2026-01-01T00:00:00Z', ids: [8], price: 1.5, isNew: false },
      ...{ note: null, owner: { mail: 'a@b.example' }, extra: { a: 1 } },
    })
    await sendOverEach()
    await expect
      .poll(statuses)
      .toEqual([expect.stringMatching(/^204 in \d+ ms$/), expect.stringMatching(/^200 in \d+ ms$/)])
    expect(await axeFindings(page)).toEqual([])
  })

  it('sends once for a double click, and while an answer is late', async () => {
    const calls: Request[] = []
    page.on('request', (request) => {
      if (isCall(request)) calls.push(request)
    })
    await over(form, 'JSON-RPC')
    const button = form.getByRole('button', { name: 'Send', exact: true })
    const status = form.locator('.live:visible .status')
    await button.dblclick()
    await expect.poll(() => status.textContent()).toMatch(/^\d/)
    expect(calls).toHaveLength(1)
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(calls[0]?.url() ?? '', async (route) => {
      await held
      await route.continue()
    })
    for (let press = 0; press < 3; press += 1) {
      await button.click()
      await expect.poll(() => status.textContent()).toBe('Waiting…')
    }
    answer()
    await expect.poll(() => status.textContent()).toMatch(/^\d/)
    expect(calls).toHaveLength(2)
  })

  it('shows errors next to each field, inside objects too', async () => {
    await form.getByLabel('price required').fill('-1')
    await field('mail').fill('nobody')
    await sendOverEach()
    await expect
      .poll(statuses)
      .toEqual([expect.stringMatching(/^400 in/), expect.stringMatching(/, error -32602$/)])
    await expect.poll(() => faultAt('mail')).toBe('must match format "email"')
    await expect.poll(() => form.getByLabel('price required').getAttribute('aria-invalid')).toBe('true')
  })

  it('leads to the first field that is wrong once a call is refused', async () => {
    // A window in which the form has no room.
    await page.setViewportSize({ width: 1024, height: 500 })
    await over(form, 'REST')
    await form.getByLabel('price required').fill('-1')
    await field('mail').fill('nobody')
    await send()
    await form.locator('.live:visible .status', { hasText: /^400/ }).waitFor()
    const price = form.getByLabel('price required')
    await expect.poll(() => price.evaluate((control) => control === document.activeElement)).toBe(true)
    await expect
      .poll(() =>
        price.evaluate((control) => {
          const { top, bottom } = control.getBoundingClientRect()
          const column = control.closest('.console')?.getBoundingClientRect()
          return column !== undefined && top >= column.top && bottom <= column.bottom
        }),
      )
      .toBe(true)
    expect(await price.getAttribute('aria-describedby')).toContain(
      await price.evaluate((control) => control.closest('.field')?.querySelector('.wrong')?.id ?? 'none'),
    )
  })

  it('refuses to send invalid JSON, and says so', async () => {
    await field('extra').fill('{')
    await expect.poll(() => faultAt('extra')).toMatch(/^extra is not JSON/)
    await send()
    await expect.poll(statuses).toEqual([expect.stringMatching(/^Not sent\. extra is not JSON/), ''])
    await form.getByRole('button', { name: 'Add to batch' }).click()
    await expect.poll(statuses).toEqual([expect.stringMatching(/^Not added\./), ''])
    await expect.poll(() => faultAt('extra')).toMatch(/^extra is not JSON/)
  })

  it('sends integers of 64 bits with all digits, from fields and from JSON', async () => {
    await form.getByLabel('price required').fill('9007199254740993')
    await field('extra').fill('{"a": 9223372036854775807}')
    const shown = (protocol: string) => form.getByLabel(`Request over ${protocol}`).textContent()
    for (const protocol of ['REST', 'JSON-RPC']) {
      await expect.poll(() => shown(protocol)).toContain('"price":9007199254740993')
      expect(await shown(protocol)).toContain('"extra":{"a":9223372036854775807}')
    }
    await expect
      .poll(() => form.locator('.block[data-sample] code').first().textContent())
      .toMatch(/^Samples show no integers beyond .* Send sends all digits\.$/)
    await form.getByRole('button', { name: 'Edit as JSON' }).click()
    await expect.poll(() => shown('REST')).toContain('"price":9007199254740993')
  })

  it.each([
    ['price required', '100.00000000000000001', 'price is a number that a double cannot hold exactly'],
    ['price required', '1e400', 'price is a number that a double cannot hold exactly'],
    ['extra', '{"a": 9007199254740993.5}', 'extra/a is a number that a double cannot hold exactly'],
  ])('sends no number that would be rounded: %s %s', async (name, text, fault) => {
    const asked: string[] = []
    page.on('request', (request) => isCall(request) && asked.push(request.method()))
    await form.getByLabel(name, { exact: true }).fill(text)
    await expect.poll(() => faultAt(name)).toBe(fault)
    await sendOverEach()
    await expect.poll(statuses).toEqual([`Not sent. ${fault}`, `Not sent. ${fault}`])
    expect(asked).toEqual([])
    await form.getByLabel(name, { exact: true }).fill('')
    await expect.poll(() => faultAt(name)).toBe('')
  })

  it.each([
    ['1.50', 1.5],
    ['1e3', 1000],
    ['-0.10', -0.1],
    ['0.1', 0.1],
    ['9007199254740992', 9007199254740992],
    ['.5', '.5'],
  ])('sends a number however it is written: %s', async (text, value) => {
    await form.getByLabel('price required').fill(text)
    await expect.poll(params).toMatchObject({ price: value })
    expect(await faultAt('price required')).toBe('')
  })

  it.each(['127.0.0.1:18090', '//127.0.0.1', '/api', 'http://', 'ftp://127.0.0.1', ''])(
    'calls nothing at what is no address of HTTP: "%s"',
    async (address) => {
      const asked: string[] = []
      page.on('request', (request) => isCall(request) && asked.push(request.url()))
      const fault = 'The base URL must begin with http:// or https:// and name a host.'
      await page.locator('.bar').getByRole('button', { name: 'Authorize' }).click()
      const dialog = page.getByRole('dialog')
      const typed = dialog.getByLabel('Base URL')
      await typed.fill(address)
      await dialog.getByText(fault).waitFor()
      if (address === '') expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await sendOverEach()
      await expect.poll(statuses).toEqual([`Not sent. ${fault}`, `Not sent. ${fault}`])
      expect(asked).toEqual([])
      await authorize(page, { 'Base URL': mock.url })
      expect(await dialog.getByText(fault).count()).toBe(0)
    },
  )
})

describe('the form of an operation that reads', () => {
  const id = () => form.getByLabel('id required')
  const open = async () => {
    form = consoleOf(page, 'things.get')
    // A form is created when it comes near.
    await page.evaluate(() => {
      location.hash = 'things.get'
    })
    await form.getByText(/optional fields$/).click()
  }

  it('asks next to the field for a number that the call must have', async () => {
    await open()
    await id().fill('')
    await send()
    await expect.poll(statuses).toEqual(['Not sent. id: Required.', ''])
    expect(await faultAt('id required')).toBe('Required.')
    expect(await id().getAttribute('aria-invalid')).toBe('true')
    const told = (await id().getAttribute('aria-describedby'))?.split(' ').at(-1)
    expect(await page.locator(`[id="${told}"]`).innerText()).toBe('Required.')
    await id().fill('7')
    expect([await faultAt('id required'), await id().getAttribute('aria-invalid')]).toEqual(['', null])
    await expect.poll(statuses).toEqual(['', ''])
  })

  it('describes a field below its name, like the page, inside lists too', async () => {
    await open()
    const words = 'Words to find, see RFC 9110'
    const told = (await field('find').getAttribute('aria-describedby'))?.split(' ')[0]
    const about = page.locator(`[id="${told}"]`)
    expect([await about.innerText(), await about.locator('em').innerText()]).toEqual([words, 'find'])
    const address = 'https://www.rfc-editor.org/rfc/rfc9110'
    expect(await about.getByRole('link', { name: 'RFC 9110' }).getAttribute('href')).toBe(address)
    await form.getByRole('button', { name: 'Add to marks' }).click()
    for (const text of ['Marks & more', 'One mark']) await form.getByText(text, { exact: true }).waitFor()
    expect(await form.locator('[title]').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  it('shows next to the field what REST cannot send, while JSON-RPC sends it', async () => {
    await open()
    await field('find').fill('{"words": []}')
    await sendOverEach()
    await expect
      .poll(statuses)
      .toEqual([expect.stringMatching(/^Not sent\. find: REST /), expect.stringMatching(/^200 in \d+ ms$/)])
    expect(await faultAt('find')).toMatch(/^REST would send it as /)
    expect(await field('find').getAttribute('aria-invalid')).toBe('true')
  })

  it('sends reads on Enter in a text field, and changes only by the button', async () => {
    await field('since').press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe('Send')
    expect(await statuses()).toEqual(['', ''])
    await page.keyboard.press('Enter')
    await expect.poll(statuses).toEqual([expect.stringMatching(/^204 in/), ''])
    await open()
    await id().press('Enter')
    await expect.poll(statuses).toEqual([expect.stringMatching(/^204 in/), ''])
    expect(await id().evaluate((input) => input === document.activeElement)).toBe(true)
  })

  it('has unique ids next to another form', async () => {
    await open()
    const names = await page
      .locator('section.live')
      .evaluateAll((regions) => regions.map((region) => region.getAttribute('aria-label')))
    expect(names.sort()).toEqual([
      ...['things.get over JSON-RPC', 'things.get over REST'],
      ...['things.make over JSON-RPC', 'things.make over REST'],
    ])
    expect(await axeFindings(page)).toEqual([])
  })

  it('names the REST location of each param, but not of its parts (320 px)', async () => {
    await page.setViewportSize({ width: 320, height: 700 })
    const rows = await page.locator('[id="things.make"] .details .fields li').evaluateAll((all) =>
      all.map((row) => {
        const [name, place] = ['.field-name', '.place'].map((part) => row.querySelector(`:scope > p ${part}`))
        return [name?.textContent, place?.textContent, place && getComputedStyle(place, '::before').content]
      }),
    )
    expect(rows).toContainEqual(['kind', 'path', '"in "'])
    expect(rows).toContainEqual(['price', 'body', '"in "'])
    expect(rows).toContainEqual(['mail', undefined, null])
  })
})
