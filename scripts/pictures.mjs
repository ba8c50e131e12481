// Takes the pictures of the README and the docs anew: an operation after a call, a review, a user of the administration.
// Needs a build. Writes templates/pictures.
//   node scripts/pictures.mjs
import './help.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import chromium from '@sparticuz/chromium'
import { chromium as driver } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'duet-pictures-'))
const url = 'http://127.0.0.1:18080'
const env = { ...process.env, PORT: '18080', DATA_DIR: folder, LOG_LEVEL: 'error' }
const service = spawn(process.execPath, ['service/dist/server/main.js'], { cwd: root, env, stdio: 'ignore' })
const browser = await driver.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
})
try {
  await ready()
  const { users } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
  const [admin] = users

  await shot('reference', 1280, 880, async (page) => {
    await page.goto(`${url}/reference/clients.html#clients.get`)
    await page.locator('.bar [data-authorize]').click()
    await page.getByLabel('apiKey').fill(admin.apiKey)
    await page.keyboard.press('Escape')
    const form = page.locator('[data-console="clients.get"]')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await form.locator('.live .status', { hasText: '200' }).first().waitFor()
    await page.mouse.move(0, 0)
    await form.evaluate((column) => {
      column.scrollTop = 0
      column.closest('section')?.scrollIntoView()
    })
  })

  const review = join(folder, 'review.html')
  const duet = join(root, 'generator/bin/duet.js')
  const options = ['--format', 'html', '--out', review, '--fail-on', 'none']
  spawnSync(process.execPath, [duet, 'diff', '1.1.0', '2.0.0-rc.1', ...options], { cwd: root })
  await shot('review', 1240, 900, async (page) => {
    await page.goto(pathToFileURL(review).href)
  })

  await shot('administration', 1200, 820, async (page) => {
    await page.goto(`${url}/admin/`)
    await page.getByLabel('Login').fill(admin.login)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.goto(`${url}/admin/users/3`)
  })
} finally {
  await browser.close()
  service.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function ready() {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isThere = existsSync(join(folder, 'credentials.json'))
    if (isThere && (await fetch(`${url}/openapi.json`).catch(() => undefined))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The service has not started')
}

/**
 * @param {string} name
 * @param {number} width
 * @param {number} height
 * @param {(page: import('playwright-core').Page) => Promise<void>} prepare
 */
async function shot(name, width, height, prepare) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' })
  await prepare(page)
  // The page stays: this browser is one process, and ends with its first page.
  await page.screenshot({ path: join(root, `templates/pictures/${name}.png`) })
}
