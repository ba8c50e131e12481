// Compiles every package. With --generate it runs the generator first, so that what is compiled is
// what the documents say.
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

if (process.argv.includes('--generate')) {
  run(tsc, '-b', 'generator')
  run('generator/bin/duet.js', 'generate')
}
run(tsc, '-b')
copyGeneratedAssets()

/** @param {string} script @param {...string} args */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

// tsc compiles the .ts files of a generated version and leaves what is JavaScript or JSON already.
function copyGeneratedAssets() {
  const packages = join(root, 'generated')
  for (const entry of readdirSync(packages, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'dist' || entry.name === 'node_modules') continue
    for (const name of readdirSync(join(packages, entry.name))) {
      if (/\.(js|json|d\.ts)$/.test(name)) {
        cpSync(join(packages, entry.name, name), join(packages, 'dist', entry.name, name))
      }
    }
  }
}
