#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as module from 'node:module'

// From Node 22.1 on: what has been compiled once is not compiled again.
module.enableCompileCache?.()

const main = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(main)) {
  const { run } = await import(main.href)
  process.exitCode = await run(process.argv.slice(2))
} else {
  console.error('duet has not been built. Build it with: npx tsc -b generator')
  process.exitCode = 1
}
