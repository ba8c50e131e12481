// Compiles every package. With --generate it runs the generator first, so that the code matches the
// documents. Compiles with TypeScript 7, in a fifth of the time of 5.9, which checks the same in CI's second stage.
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')

run(tsc, '-b', 'runtime')
run('scripts/bundle.mjs')
if (process.argv.includes('--generate')) {
  run(tsc, '-b', 'generator')
  run('generator/bin/duet.js', 'generate')
}
run(tsc, '-b')
run('scripts/bundle-command.mjs')
run('generated/copy-assets.js')

/** @param {string} script @param {...string} args */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}
