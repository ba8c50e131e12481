#!/usr/bin/env node
import { existsSync, statSync } from 'node:fs'
import * as module from 'node:module'

// From Node 22.1 on: what has been compiled once is not compiled again.
module.enableCompileCache?.()

const main = new URL('../dist/cli/main.js', import.meta.url)
const bundled = new URL('../dist/command/main.js', import.meta.url)
if (existsSync(main)) {
  const { run } = await import((isCurrent() ? bundled : main).href)
  process.exitCode = await run(process.argv.slice(2))
} else {
  console.error('duet has not been built. Build it with: npx tsc -b generator')
  process.exitCode = 1
}

/** Whether the bundle was made after the last build; in a package there is no note of one. */
function isCurrent() {
  const build = statSync(new URL('../dist/tsconfig.tsbuildinfo', import.meta.url), { throwIfNoEntry: false })
  const bundle = statSync(bundled, { throwIfNoEntry: false })
  return bundle !== undefined && (build === undefined || bundle.mtimeMs >= build.mtimeMs)
}
