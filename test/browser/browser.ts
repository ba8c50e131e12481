import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { source } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core'

/** A Chromium without a window. The test files of a process share it, and it ends with the process. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launched()
  const browser = await shared
  // What a failed test of another file left open.
  await Promise.all(browser.contexts().map((context) => context.close()))
  return browser
}

let shared: Promise<Browser> | undefined

async function launched(): Promise<Browser> {
  const executablePath = await unpacked()
  return await driver.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** The browser's file, unpacked once for all runs: elsewhere and then moved, since test files run in parallel. */
async function unpacked(): Promise<string> {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
  const folder = join(cache, `chromium-${devDependencies['@sparticuz/chromium']}`)
  const file = join(folder, 'chromium')
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  const filling = mkdtempSync(join(cache, 'chromium-'))
  // Only TMPDIR sets the target. A separate process keeps it from affecting anything else.
  const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
  await promisify(execFile)(process.execPath, ['-e', unpack], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: filling },
  })
  try {
    renameSync(filling, folder)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(file)) throw error
    rmSync(filling, { recursive: true })
  }
  return file
}

/** A page of a file, and its errors. */
export interface OpenPage {
  readonly page: Page
  /** Errors and warnings of the console, uncaught errors, and requests to other addresses. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens HTML as a file, like a reader. */
export async function openHtml(
  browser: Browser,
  html: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-page-'))
  const file = join(folder, 'page.html')
  writeFileSync(file, html)
  const url = pathToFileURL(file).href
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const [address] = request.url().split('?')
    if (address !== url && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  await page.goto(url)
  const close = async (): Promise<void> => {
    await context.close()
    rmSync(folder, { recursive: true })
  }
  return { page, complaints, close }
}

/** The rules of axe to check: all, or some. */
type AxeRules = 'all' | readonly string[]

/** The rules for a dark page, given that the light one is checked with all rules. */
export const axeRulesOf = (colorScheme: 'light' | 'dark'): AxeRules =>
  colorScheme === 'light' ? 'all' : ['color-contrast', 'link-in-text-block']

/** The violations that axe finds (WCAG 2.2 AA and best practice), as `rule: element`. */
export async function axeFindings(page: Page, rules: AxeRules = 'all'): Promise<string[]> {
  // The page's policy blocks injected scripts, but not the debugger's evaluation.
  await page.evaluate(source)
  const some = rules === 'all' ? {} : { runOnly: { type: 'rule', values: rules } }
  return await page.evaluate(async (some) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }
    const { violations } = await axe.run({ rules: { 'target-size': { enabled: true } }, ...some })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, some)
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
