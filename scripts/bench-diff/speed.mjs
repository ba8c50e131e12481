// npm run bench:diff-speed -- OLD NEW [OLD NEW…] [--rounds N] [--oasdiff PATH]
// npm run bench:diff-speed -- --pairs FOLDER [--rounds N] [--oasdiff PATH]
//
// Compares each pair in whole processes, alternating with the peers, and prints medians: processor time (user
// and system) in seconds, and peak memory. oasdiff takes part if --oasdiff gives its path: go install
// github.com/oasdiff/oasdiff@v1.28.0. All tools compare; only duet has proofs, in a row of their own. Further
// rows only have duet: the same file twice, a document and itself in other bytes, and the pair with a second
// copy of every path and component. A peer that fails, or takes more than two minutes, is not run again.
// --pairs runs duet and oasdiff on all pairs of a folder (pairs.mjs) and prints the median pair.
import '../help.mjs'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { doubled } from '../bench-generate/documents.mjs'
import { refuse } from '../help.mjs'
import { installPeers, median, usageOf } from '../measure/process.mjs'
import { benchPairs, pairsOf } from './pairs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const peers = join(here, 'peers')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    oasdiff: { type: 'string' },
    pairs: { type: 'string' },
  },
})
const isUsed = values.pairs === undefined ? positionals.length > 0 : positionals.length === 0
if (!isUsed || positionals.length % 2 === 1) refuse()

const { execPath: node } = process
const compare = [join(here, '../../generator/bin/duet.js'), 'diff', '--fail-on', 'none', '--proof-time', '0']
const prove = compare.slice(0, -2)
const peer = join(peers, 'compare.mjs')

/**
 * The commands of the rows. Documents are passed as given, except to peers that only read JSON.
 * @param {string} old @param {string} fresh
 */
const rowsFor = (old, fresh) => [
  { name: 'duet', command: [node, ...compare, old, fresh] },
  ...(values.oasdiff === undefined
    ? []
    : [{ name: 'oasdiff', command: [resolve(values.oasdiff), 'changelog', old, fresh] }]),
  { name: 'api-smart-diff', command: [node, peer, 'api-smart-diff', 'old-plain.json', 'new-plain.json'] },
  { name: 'openapi-diff', command: [node, peer, 'openapi-diff', 'old-plain.json', 'new-plain.json'] },
  { name: 'duet, with proofs', command: [node, ...prove, old, fresh] },
  { name: 'duet, the same file twice', command: [node, ...compare, fresh, fresh] },
  { name: 'duet, a document with itself', command: [node, ...compare, 'new-plain.json', 'copy.json'] },
  { name: 'duet, both doubled', command: [node, ...compare, 'old-doubled.json', 'new-doubled.json'] },
]

if (values.pairs !== undefined)
  benchPairs(pairsOf(resolve(values.pairs)), Number(values.rounds), ({ old, fresh }) => ({
    duet: [node, ...compare, old, fresh],
    ...(values.oasdiff !== undefined && { oasdiff: [resolve(values.oasdiff), 'changelog', old, fresh] }),
  }))
else installPeers(peers)
for (let index = 0; index < positionals.length; index += 2)
  bench(positionals[index] ?? '', positionals[index + 1] ?? '')

/** @param {string} old @param {string} fresh */
function bench(old, fresh) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-diff-'))
  const rows = rowsFor(`old${extname(old)}`, `new${extname(fresh)}`)
  for (const [name, file] of [
    ['old', old],
    ['new', fresh],
  ]) {
    const text = readFileSync(file ?? '', 'utf8')
    const document = parse(text)
    writeFileSync(join(scratch, `${name}${extname(file ?? '')}`), text)
    writeFileSync(join(scratch, `${name}-plain.json`), JSON.stringify(document))
    writeFileSync(join(scratch, `${name}-doubled.json`), JSON.stringify(doubled(document)))
    // Different bytes, so that no tool can take a shortcut for equal files.
    if (name === 'new') writeFileSync(join(scratch, 'copy.json'), JSON.stringify(document, null, 1))
  }
  /** @type {Map<string, import('../measure/process.mjs').Usage[]>} */
  const runs = new Map(rows.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name, command } of rows) {
      const done = runs.get(name) ?? []
      if (hasFailed(done)) continue
      if (process.stderr.isTTY) process.stderr.write(`${round + 1}/${values.rounds} ${name}\r\x1b[K`)
      const [program = '', ...args] = command
      done.push(usageOf(program, args, { cwd: scratch, scratch, timeout: 120_000 }))
    }
  rmSync(scratch, { recursive: true, force: true })
  console.log(
    `\n### ${basename(old)} to ${basename(fresh)}: medians of ${values.rounds} rounds, Node ${process.version}\n`,
  )
  console.log('| | processor s | of duet | peak MB |\n| --- | --: | --: | --: |')
  const own = median((runs.get('duet') ?? []).map(({ cpu }) => cpu))
  for (const { name } of rows) console.log(row(name, runs.get(name) ?? [], own))
}

/** @param {string} name @param {import('../measure/process.mjs').Usage[]} runs @param {number} own */
function row(name, runs, own) {
  const seconds = median(runs.map(({ cpu }) => cpu))
  const failed = hasFailed(runs)
  const cells = failed
    ? [`${name}: fails (exit ${runs.at(-1)?.status ?? 'by time'})`, '', '']
    : [
        name,
        seconds.toFixed(2),
        (seconds / own).toFixed(2),
        median(runs.map((run) => run.megabytes)).toFixed(0),
      ]
  return `| ${cells.join(' | ')} |`
}

/** @param {import('../measure/process.mjs').Usage[]} runs */
function hasFailed(runs) {
  return runs.some(({ status }) => status !== 0)
}
