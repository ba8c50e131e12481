// Generates a document's reference and opens it in Chromium. Prints sizes and the times of opening and
// searching.
//   node scripts/bench-reference/run.mjs DOCUMENT
import '../help.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import chromium from '@sparticuz/chromium'
import { chromium as driver } from 'playwright-core'

const duet = fileURLToPath(new URL('../../generator/bin/duet.js', import.meta.url))
const [document] = process.argv.slice(2)
if (document === undefined) throw new Error('Name a document')
const folder = mkdtempSync(join(tmpdir(), 'duet-bench-reference-'))
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
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
  })
  const page = await browser.newPage()
  const largest =
    sizes.find(({ name }) => name.endsWith('.html') && name !== 'index.html')?.name ?? 'index.html'
  for (const name of ['index.html', largest]) {
    const times = []
    for (let run = 0; run < 5; run++) {
      await page.goto(pathToFileURL(join(reference, name)).href)
      times.push(
        await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().loadEventEnd),
      )
    }
    console.log(`${name} is loaded within ${median(times).toFixed(0)} ms (median of 5)`)
  }
  const searches = []
  for (const text of ['r', 're', 'repo', 'repos issue', 'owner name', 'nothing like this']) {
    const search = (/** @type {string} */ words) => {
      const input = /** @type {HTMLInputElement} */ (globalThis.document.querySelector('#search'))
      const start = performance.now()
      input.value = words
      input.dispatchEvent(new Event('input'))
      // Waits for the layout.
      globalThis.document.querySelector('#found')?.getBoundingClientRect()
      return performance.now() - start
    }
    searches.push(await page.evaluate(search, text))
  }
  console.log(`a search takes at most ${Math.max(...searches).toFixed(1)} ms`)
  await browser.close()
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
