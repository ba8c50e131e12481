// The test command: build, tests of the first stage; with --long checks and tests of the second stage, with --all checks
// and tests of both, as CI does. Its last line is `N passed, N failed`, whatever happens.
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'duet-test-'))
// The user of a test's PostgreSQL must be able to access its data.
chmodSync(scratch, 0o755)
const report = join(scratch, 'report.json')
const [which] = process.argv.slice(2)

let passed = 0
let failed = 0
if (step('npm', 'run', '--silent', 'build')) {
  if (which === '--all') step('npm', 'run', '--silent', 'check')
  if (which !== '--long') testStage({ STAGE: undefined })
  if (which === '--long' || which === '--all') {
    step('npm', 'run', '--silent', 'check:long')
    testStage({ STAGE: 'long' })
  }
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** @param {NodeJS.ProcessEnv} env */
function testStage(env) {
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  countTests(run('npx', ['vitest', 'run', ...reporters], env))
}

/** Runs a step that counts as one test. @param {string} command @param {...string} args */
function step(command, ...args) {
  const green = run(command, args)
  if (green) passed += 1
  else failed += 1
  return green
}

/** @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} more */
function run(command, args, more = {}) {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const env = { ...process.env, TMPDIR: scratch, ...more }
  return spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/**
 * Databases that sync each commit to disk take a third of the run; a file system in memory, if it has space,
 * avoids that.
 */
function memoryFolder() {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return process.env.TMPDIR === undefined && bavail * bsize > 4 * 2 ** 30 ? folder : undefined
  } catch {
    return undefined
  }
}

// A run can fail without a failed test: a file that does not load, an unhandled rejection.
/** @param {boolean} green */
function countTests(green) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    passed += numPassedTests
    failed += numFailedTests || (green ? 0 : 1)
  } catch {
    failed += 1
  }
}
