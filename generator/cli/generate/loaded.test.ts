// @module-tag long

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

// The bundle itself: bin/duet.js ignores it after a test has compiled the sources.
const command = new URL('../../dist/command/main.cjs', import.meta.url).href
const script = `import { run } from '${command}'; process.exitCode = await run(process.argv.slice(1))`
const folder = mkdtempSync(join(tmpdir(), 'duet-loaded-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The files of modules that a run of duet loads. */
function loaded(...args: readonly string[]): string[] {
  const coverage = mkdtempSync(join(folder, 'coverage-'))
  const env = { ...process.env, NODE_V8_COVERAGE: coverage }
  const start = ['--input-type=module', '-e', script, '--', ...args]
  const { status } = spawnSync(process.execPath, start, { cwd: folder, env })
  expect(status).toBe(0)
  return readdirSync(coverage).flatMap((name) => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
  })
}

function packagesOf(files: readonly string[]): string[] {
  const found = files.flatMap((file) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [])
  return [...new Set(found)]
}

beforeAll(() => {
  const paths = (...names: readonly string[]) =>
    names
      .map((name) => `  /${name}:\n    get:\n      responses:\n        '200': {description: Fine}\n`)
      .join('')
  const head = 'openapi: 3.1.1\ninfo:\n  title: A\n  version: 1.0.0\npaths:\n'
  writeFileSync(join(folder, 'old.yaml'), head + paths('a'))
  writeFileSync(join(folder, 'new.yaml'), head + paths('a', 'b'))
  const name = (schema: string) =>
    `${paths('a')}      parameters: [{name: name, in: query, required: true, schema: ${schema}}]\n`
  writeFileSync(join(folder, 'text.yaml'), head + name('{type: string}'))
  writeFileSync(join(folder, 'letters.yaml'), head + name("{type: string, pattern: '^[a-z]{2}$'}"))
})

it('loads little for a small review, and no file of a package', () => {
  const files = loaded('diff', 'old.yaml', 'new.yaml')
  expect(packagesOf(files)).toEqual([])
  // The runtime and the validator generator would come with it.
  expect(files.map((file) => basename(file))).not.toContain('prove.cjs')
  // Without the bundle there are 350 modules of ours and 40 of packages.
  expect(files.length).toBeLessThan(30)
})

it('loads no file of a package to prove that a pattern is new', () => {
  const files = loaded('diff', 'text.yaml', 'letters.yaml', '--fail-on', 'none')
  const names = files.map((file) => basename(file))
  expect(names).toEqual(expect.arrayContaining(['refa.cjs', 'service.cjs']))
  expect(packagesOf(files)).toEqual([])
})

it('loads neither the runtime nor the validator compiler if no call is sent', () => {
  const files = loaded('diff', 'new.yaml', 'old.yaml', '--fail-on', 'none', '--proof-time', '0')
  const names = files.map((file) => basename(file))
  expect(names).toContain('prove.cjs')
  expect(names).not.toContain('service.cjs')
  expect(names).not.toContain('validators.cjs')
})

it('generates without the compiler of templates, the comparison and the server', () => {
  const files = loaded('generate', 'new.yaml', '--out', 'generated', '--no-cache')
  const names = files.map((file) => basename(file))
  expect(names).toContain('site.cjs')
  expect(names).not.toContain('comparison.cjs')
  expect(names).not.toContain('service.cjs')
  // What prints types needs colours.
  expect(packagesOf(files).sort()).toEqual(['ansi-colors', 'openapi-typescript'])
})
