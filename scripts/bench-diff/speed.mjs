// npm run bench:diff-speed -- OLD NEW [OLD NEW…] [--rounds N]
//
// Compares each pair by whole processes, alternating with the peers, and prints medians: seconds and peak memory. Further
// rows are duet alone: a document with itself, and the pair with a second copy of every path and component. A peer
// that fails, or does not end within two minutes, is not asked again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { doubled } from '../bench-generate/documents.mjs'
import { installPeers, measure, median } from '../measure/process.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const peers = join(here, 'peers')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } },
})
if (values.help || positionals.length === 0 || positionals.length % 2 === 1) {
  console.log(
    'usage: npm run bench:diff-speed -- OLD NEW [OLD NEW…] [--rounds N]\nexample: npm run bench:diff-speed -- stripe-earlier.json stripe.json',
  )
  process.exit(values.help ? 0 : 2)
}

const duet = [join(here, '../../generator/bin/duet.js'), 'diff', '--fail-on', 'none']
const rows = [
  { name: 'duet', args: [...duet, 'old.json', 'new.json'] },
  { name: 'api-smart-diff', args: [join(peers, 'compare.mjs'), 'api-smart-diff', 'old.json', 'new.json'] },
  { name: 'openapi-diff', args: [join(peers, 'compare.mjs'), 'openapi-diff', 'old.json', 'new.json'] },
  { name: 'duet, a document with itself', args: [...duet, 'new.json', 'copy.json'] },
  { name: 'duet, both doubled', args: [...duet, 'old-doubled.json', 'new-doubled.json'] },
]

installPeers(peers)
for (let index = 0; index < positionals.length; index += 2)
  bench(positionals[index] ?? '', positionals[index + 1] ?? '')

/** @param {string} old @param {string} fresh */
function bench(old, fresh) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-diff-'))
  for (const [name, file] of [
    ['old', old],
    ['new', fresh],
  ]) {
    const document = parse(readFileSync(file ?? '', 'utf8'))
    writeFileSync(join(scratch, `${name}.json`), JSON.stringify(document))
    writeFileSync(join(scratch, `${name}-doubled.json`), JSON.stringify(doubled(document)))
    // Not the same bytes, so that nothing is answered by looking at those alone.
    if (name === 'new') writeFileSync(join(scratch, 'copy.json'), JSON.stringify(document, null, 1))
  }
  /** @type {Map<string, import('../measure/process.mjs').Run[]>} */
  const runs = new Map(rows.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name, args } of rows) {
      const done = runs.get(name) ?? []
      if (hasFailed(done)) continue
      if (process.stderr.isTTY) process.stderr.write(`${round + 1}/${values.rounds} ${name}\r\x1b[K`)
      done.push(measure(args, { cwd: scratch, scratch, timeout: 120_000 }))
    }
  rmSync(scratch, { recursive: true, force: true })
  console.log(
    `\n### ${basename(old)} to ${basename(fresh)}: medians of ${values.rounds} rounds, Node ${process.version}\n`,
  )
  console.log('| | seconds | of duet | peak MB |\n| --- | --: | --: | --: |')
  const own = median((runs.get('duet') ?? []).map(({ seconds }) => seconds))
  for (const { name } of rows) console.log(row(name, runs.get(name) ?? [], own))
}

/** @param {string} name @param {import('../measure/process.mjs').Run[]} runs @param {number} own */
function row(name, runs, own) {
  const seconds = median(runs.map((run) => run.seconds))
  const failed = hasFailed(runs)
  const cells = failed
    ? [`${name}: fails after ${seconds.toFixed(1)} s (exit ${runs.at(-1)?.status ?? 'by time'})`, '', '', '']
    : [
        name,
        seconds.toFixed(2),
        (seconds / own).toFixed(2),
        median(runs.map((run) => run.megabytes)).toFixed(0),
      ]
  return `| ${cells.join(' | ')} |`
}

/** @param {import('../measure/process.mjs').Run[]} runs */
function hasFailed(runs) {
  return runs.some(({ status }) => status !== 0)
}
