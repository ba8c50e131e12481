// npm run bench:documents -- FOLDER... [--generate] [--compile] [--parity] [--peers] [--seconds N] [--match TEXT]
//
// Reads every OpenAPI 2.0 and 3.x document in the folders, in processes with limits of time and memory.
// Prints how many are accepted, and the refused ones by code with the first locations. Lints, which also
// builds the model; --generate also writes all outputs. --compile also compiles the outputs strictly.
// --parity starts each document's mock, calls every operation over REST and JSON-RPC, and compares the
// responses. --peers runs openapi-typescript and Redocly (its loader and `struct` rule) on each document, and
// counts only documents that one of them accepts. Documents that exceed --seconds, and those where a peer
// crashed or exceeded them, are printed.
import '../help.mjs'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { refuse } from '../help.mjs'
import { Compilation } from './compile.mjs'
import { documentsOf } from './documents.mjs'
import { Reader } from './reader.mjs'
import { printCompiled, printParity, printRefused } from './report.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generate: { type: 'boolean', default: false },
    compile: { type: 'boolean', default: false },
    parity: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
    match: { type: 'string', default: '' },
  },
})
if (positionals.length === 0) refuse()

const documents = documentsOf(positionals).filter((file) => file.includes(values.match))
const scratch = mkdtempSync(join(tmpdir(), 'duet-documents-'))
const compilation = new Compilation(scratch, run)
/** @type {import('./report.mjs').Outcome[]} */
const outcomes = []
const queue = documents.entries()
await Promise.all(Array.from({ length: availableParallelism() }, work))
await compilation.end()
rmSync(scratch, { recursive: true, force: true })
printRefused(outcomes, values.peers)
if (values.compile) printCompiled(outcomes, compilation.errors)
if (values.parity) printParity(outcomes)

async function work() {
  const reader = new Reader(Number(values.seconds) * 1000)
  for (const [index, file] of queue) {
    const name = `${index}`
    const out = join(scratch, name)
    const peers = values.peers ? await verdictOfPeers(file) : 'refuse'
    const isWritten = values.generate || values.compile || values.parity
    const task = { file, reference: values.generate, parity: values.parity, ...(isWritten && { out }) }
    const answer = await reader.read(task)
    outcomes.push({ file, name, peers, ...answer })
    if (values.compile && answer.faults.length === 0) await compilation.add(name)
    else rmSync(out, { recursive: true, force: true })
  }
  reader.end()
}

/** The verdict of openapi-typescript and Redocly. @param {string} file */
async function verdictOfPeers(file) {
  const { code } = await run([join(here, 'peers.mjs'), file], dirname(file))
  return code === 0 ? 'accept' : code === 1 ? 'refuse' : 'fail'
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
