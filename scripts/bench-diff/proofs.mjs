// How many breaking and dangerous changes have a proof, and why the others have none.
//
//   node scripts/bench-diff/proofs.mjs FILE           the pairs of documents that a file lists, as run.mjs reads it
//   node scripts/bench-diff/proofs.mjs OLD NEW        two documents
import '../help.mjs'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readVersion } from '../../generator/dist/cli/diff/diff-reading.js'
import { compare } from '../../generator/dist/diff/compare.js'
import { prove } from '../../generator/dist/diff/proof/prove.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { refuse } from '../help.mjs'

const [given, other] = process.argv.slice(2)
if (given === undefined) refuse()
const pairs =
  other === undefined
    ? JSON.parse(readFileSync(resolve(given), 'utf8')).map(({ base, revision }) =>
        [base, revision].map((name) => join(dirname(resolve(given)), name)),
      )
    : [[resolve(given), resolve(other)]]

const counts = new Map()
const reasons = new Map()
let milliseconds = 0
for (const pair of pairs) {
  const sides = []
  for (const file of pair) sides.push((await readVersion(file, '/', { buildModel })).side)
  if (sides.includes(undefined)) continue
  const comparison = compare(...sides, { today: '2026-11-21' })
  const start = performance.now()
  const { changes } = await prove(comparison, ...sides)
  milliseconds += performance.now() - start
  for (const change of changes) tally(change)
}
console.log(`${Math.round(milliseconds)} ms for proofs`)
for (const [what, count] of sorted(counts)) console.log(`${String(count).padStart(6)}  ${what}`)
for (const [reason, count] of sorted(reasons)) console.log(`${String(count).padStart(6)}  ${reason}`)

function tally({ level, id, protocols, proof }) {
  if (level !== 'breaking' && level !== 'dangerous') return
  const shown = ['rest', 'jsonrpc'].filter((protocol) => proof[protocol] !== undefined)
  const partly = proof.status === 'verified' && shown.length < protocols.length ? ` over ${shown} alone` : ''
  count(counts, `${level} ${proof.status}${partly}`)
  if (proof.status === 'unproven') count(reasons, `${level} unproven: ${proof.reason}`)
  if (proof.status === 'not-applicable') count(reasons, `${level} not-applicable: ${id}`)
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1)
}

function sorted(map) {
  return [...map].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
}
