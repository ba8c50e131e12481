// The test command: build, checks, tests. Its last line is `N passed, N failed`, whatever happens.
import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'duet-test-'))
// The user of a test's PostgreSQL has to be able to reach its data.
chmodSync(scratch, 0o755)
const report = join(scratch, 'report.json')

let passed = 0
let failed = 0
if (step('npm', 'run', '--silent', 'build')) {
  step('npm', 'run', '--silent', 'check')
  const green = run(
    'npx',
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  )
  countTests(green)
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Runs a step that counts as one test. @param {string} command @param {...string} args */
function step(command, ...args) {
  const green = run(command, ...args)
  if (green) passed += 1
  else failed += 1
  return green
}

/** @param {string} command @param {...string} args */
function run(command, ...args) {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const env = { ...process.env, TMPDIR: scratch }
  return spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** Databases that sync each commit to a disk take a third of the run: a file system in memory with room spares it. */
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

// A run can fail with no failed test: a file that does not load, an unhandled rejection.
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
