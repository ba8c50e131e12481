#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileLess } from './compile-less.js'

compileLess()
// From Node 22.1 on: what packages have compiled once is not compiled again.
module.enableCompileCache?.()

const main = new URL('../dist/cli/main.js', import.meta.url)
const bundled = new URL('../dist/command/main.cjs', import.meta.url)
if (isTooOld()) {
  console.error(`duet needs Node.js 20.19 or later. This is ${process.versions.node}.`)
  process.exitCode = 1
} else if (existsSync(main)) {
  const { run } = isCurrent() ? await compiled() : await import(main.href)
  process.exitCode = await run(process.argv.slice(2), fileURLToPath(import.meta.url))
} else {
  console.error('duet has not been built. Build it with: npm run build')
  process.exitCode = 1
}

/** The bundle; what V8 compiles of it is kept when the run ends. */
async function compiled() {
  // Older versions of Node cannot load it.
  const { loadCompiled } = await import('./compiled.js')
  const { exports, keep } = loadCompiled(fileURLToPath(bundled))
  process.once('exit', keep)
  return exports
}

/** Asked before anything is imported that older versions cannot load. */
function isTooOld() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 19)
}

/**
 * Whether the bundle was made of the last build, which says what it was made of; in a package there is no note of one.
 */
function isCurrent() {
  const build = textOf('../dist/tsconfig.tsbuildinfo')
  return existsSync(bundled) && (build === undefined || build === textOf('../dist/command/built-from'))
}

/** @param {string} path */
function textOf(path) {
  const file = new URL(path, import.meta.url)
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined
}
