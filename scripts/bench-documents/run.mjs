// npm run bench:documents -- FOLDER... [--generate] [--peers] [--seconds N] [--match TEXT]
//
// Reads every OpenAPI 2.0 and 3.x document of the folders, each in a process of its own with a bound of time and memory, and prints
// how many are accepted, and the refused ones by code with the first places. It lints, which builds the model too; with
// --generate it writes everything as well. With --peers it also asks openapi-typescript and Redocly (its loader and
// `struct` rule) about each document, and the share counts only those that one of them accepts.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { documentsOf } from './documents.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generate: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
    match: { type: 'string', default: '' },
  },
})
if (positionals.length === 0) {
  console.log(
    'usage: npm run bench:documents -- FOLDER... [--generate] [--peers] [--seconds N] [--match TEXT]',
  )
  process.exit(2)
}

const documents = documentsOf(positionals).filter((file) => file.includes(values.match))
const scratch = mkdtempSync(join(tmpdir(), 'duet-documents-'))
/** @typedef {{ file: string, peers: boolean, faults: readonly { code: string, text: string }[] }} Outcome */
/** @type {Outcome[]} */
const outcomes = []
const queue = documents.entries()
await Promise.all(Array.from({ length: availableParallelism() }, work))
rmSync(scratch, { recursive: true, force: true })
report()

async function work() {
  for (const [index, file] of queue) {
    const peers = values.peers && (await accepted(file))
    outcomes.push({ file, peers, faults: await faultsOf(file, join(scratch, `${index}`)) })
  }
}

/** @param {string} file @param {string} out */
async function faultsOf(file, out) {
  const duet = join(here, '../../generator/bin/duet.js')
  const command = values.generate ? ['generate', file, '--out', out, '--no-cache'] : ['lint', file]
  const { code, stdout, stderr } = await run([duet, ...command, '--format', 'json'], dirname(file))
  rmSync(out, { recursive: true, force: true })
  if (code === 0) return []
  if (code === null) return [{ code: 'time', text: `more than ${values.seconds} s` }]
  if (code !== 3) return [{ code: `exit ${code}`, text: stderr.split('\n')[0] ?? '' }]
  /** @type {{ code: string, severity: string, message: string, line: number }[]} */
  const diagnostics = JSON.parse(stdout).diagnostics
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, line, message }) => ({ code, text: `${line}: ${message}` }))
}

/** Whether openapi-typescript or Redocly accepts a document. @param {string} file */
async function accepted(file) {
  const { code } = await run([join(here, 'peers.mjs'), file], dirname(file))
  return code === 0
}

/**
 * @param {string[]} args @param {string} cwd
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
function run(args, cwd) {
  return new Promise((resolve) => {
    const timeout = Number(values.seconds) * 1000
    const child = spawn(process.execPath, ['--max-old-space-size=3072', ...args], { cwd, timeout })
    const texts = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => (texts.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (texts.stderr += text))
    child.on('close', (code) => resolve({ code, ...texts }))
  })
}

function report() {
  const counted = outcomes.filter(({ peers }) => !values.peers || peers)
  const refused = counted.filter(({ faults }) => faults.length > 0)
  /** @type {Map<string, string[]>} */
  const byCode = new Map()
  for (const { file, faults } of refused)
    for (const code of new Set(faults.map((fault) => fault.code))) {
      const first = faults.find((fault) => fault.code === code)
      byCode.set(code, [...(byCode.get(code) ?? []), `${file}:${first?.text.slice(0, 160)}`])
    }
  for (const [code, places] of [...byCode].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${code}: ${places.length}`)
    for (const place of places.sort().slice(0, 8)) console.log(`  ${place}`)
  }
  const share = ((100 * (counted.length - refused.length)) / Math.max(1, counted.length)).toFixed(1)
  const whose = values.peers
    ? `that openapi-typescript or Redocly accepts, of ${documents.length}`
    : 'documents'
  console.log(`${counted.length - refused.length} of ${counted.length} ${whose}: ${share} %`)
}
