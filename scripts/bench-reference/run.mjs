// Generates a document's reference and opens it in Chromium. Prints sizes and the times of opening and
// searching. With a folder that has other references as packages, opens the same document in each of them as well, in turn.
// A page that shows no title within the limit (60 seconds) is reported as such, and opened no more.
//   node scripts/bench-reference/run.mjs DOCUMENT [--peers FOLDER] [--limit SECONDS]
import '../help.mjs'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import chromium from '@sparticuz/chromium'
import { chromium as driver, errors } from 'playwright-core'
import { refuse } from '../help.mjs'
import { median } from '../measure/process.mjs'

const duet = fileURLToPath(new URL('../../generator/bin/duet.js', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'string' }, limit: { type: 'string', default: '60' } },
})
const limit = Number(values.limit)
const [document] = positionals
if (document === undefined) refuse()
const folder = mkdtempSync(join(tmpdir(), 'duet-bench-reference-'))
const types = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
}
const server = createServer((request, response) => {
  const file = join(folder, decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname))
  const type = Object.entries(types).find(([end]) => end === extname(file))?.[1] ?? 'text/plain'
  response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': `${type}; charset=utf-8` })
  response.end(existsSync(file) ? readFileSync(file) : '')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
try {
  const { status, stderr } = spawnSync(process.execPath, [
    duet,
    'generate',
    document,
    '--out',
    join(folder, 'api'),
  ])
  if (status !== 0) throw new Error(String(stderr))
  const reference = join(folder, 'api/reference')
  const sizes = readdirSync(reference).map((name) => ({ name, size: statSync(join(reference, name)).size }))
  sizes.sort((a, b) => b.size - a.size)
  const kilobytes = (/** @type {number} */ size) => `${(size / 1024).toFixed(0)} KB`
  console.log(
    `${sizes.length} files, ${kilobytes(sizes.reduce((sum, { size }) => sum + size, 0))}; the largest:`,
  )
  for (const { name, size } of sizes.slice(0, 5)) console.log(`  ${kilobytes(size).padStart(8)}  ${name}`)
  const pages = sizes.filter(({ name }) => name.endsWith('.html') && name !== 'index.html')
  const middle = pages[Math.floor(pages.length / 2)]?.name
  const names = ['index.html', ...(middle === undefined ? [] : [middle]), pages[0]?.name ?? 'index.html']
  const subjects = [
    ...names.map((name) => ({ name, url: `${origin}/api/reference/${name}`, shown: 'main h1' })),
    ...peers(),
  ]
  let page = await launched()
  const times = new Map(subjects.map(({ name }) => [name, /** @type {number[]} */ ([])]))
  const loads = new Map(subjects.map(({ name }) => [name, /** @type {number[]} */ ([])]))
  const unfinished = new Map()
  for (let run = 0; run < 5; run++)
    for (const { name, url, shown } of subjects) {
      if (unfinished.has(name)) continue
      try {
        await page.goto('about:blank')
        const start = performance.now()
        await page.goto(url, { waitUntil: 'commit' })
        await page
          .locator(shown)
          .first()
          .waitFor({ timeout: limit * 1000 })
        times.get(name)?.push(performance.now() - start)
        await page.waitForLoadState('load', { timeout: limit * 1000 })
        loads.get(name)?.push(performance.now() - start)
      } catch (error) {
        // A page that is still at work does not leave: its browser ends.
        const isLate = error instanceof errors.TimeoutError
        unfinished.set(name, isLate ? `shows no title within ${limit} s` : `failed: ${error}`)
        await page.context().browser()?.close()
        page = await launched()
      }
    }
  for (const [name, some] of times)
    console.log(
      unfinished.has(name)
        ? `${name} ${unfinished.get(name)}`
        : `${name} shows its title within ${median(some).toFixed(0)} ms and is loaded within ${median(loads.get(name) ?? []).toFixed(0)} ms (medians of ${some.length})`,
    )
  const texts = ['r', 're', 'repo', 'repos issue', 'owner name', 'nothing like this']
  const searches = new Map(texts.map((text) => [text, /** @type {number[]} */ ([])]))
  for (let run = 0; run < 5; run++) {
    await page.goto('about:blank')
    await page.goto(`${origin}/api/reference/index.html`)
    for (const text of texts) searches.get(text)?.push(await page.evaluate(search, text))
  }
  const slowest = Math.max(...Array.from(searches.values(), median))
  console.log(
    `a search takes at most ${slowest.toFixed(1)} ms (the largest median of 5 for ${texts.length} texts)`,
  )
  await page.context().browser()?.close()
} finally {
  server.close()
  rmSync(folder, { recursive: true })
}

/** A page in a browser of its own. */
async function launched() {
  const executablePath = await chromium.executablePath()
  const browser = await driver.launch({ executablePath, args: chromium.args })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  return context.newPage()
}

/** Milliseconds of a search in the page, with the layout of what it found. @param {string} words */
function search(words) {
  const input = /** @type {HTMLInputElement} */ (globalThis.document.querySelector('#search'))
  const start = performance.now()
  input.value = words
  input.dispatchEvent(new Event('input'))
  // Waits for the layout.
  globalThis.document.querySelector('#found')?.getBoundingClientRect()
  return performance.now() - start
}

/** Pages that show the same document by other references. */
function peers() {
  if (values.peers === undefined) return []
  const json = join(folder, 'api/openapi.json')
  const scripts = [
    {
      name: 'Scalar',
      file: '@scalar/api-reference/dist/browser/standalone.js',
      body: '<script id="api-reference" data-url="/api/openapi.json"></script><script src="/Scalar.js"></script>',
    },
    {
      name: 'Redoc',
      file: 'redoc/bundles/redoc.standalone.js',
      body: '<redoc spec-url="/api/openapi.json"></redoc><script src="/Redoc.js"></script>',
    },
  ]
  return scripts.flatMap(({ name, file, body }) => {
    const path = join(values.peers ?? '', 'node_modules', file)
    if (!existsSync(path) || !existsSync(json)) return []
    cpSync(path, join(folder, `${name}.js`))
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><meta charset="utf-8"><body>${body}</body>`)
    return [{ name, url: `${origin}/${name}.html`, shown: 'h1 >> visible=true' }]
  })
}
