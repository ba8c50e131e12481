// Compares the pairs of documents in a file and checks the results against the file's expectations.
//
//   node scripts/bench-diff/run.mjs FILE [--verbose]
//
// FILE: pairs.json of shared oasdiff test data, next to the documents. Prints the agreement on ids and
// verdicts, every disagreement that ledger.json does not explain, unused entries of the ledger, and witnesses
// in the ledger that AJV refutes.
// Or expected.json next to NAME.old.json and NAME.new.json, with the verdict of each protocol for each NAME. A
// verdict after "<=" is the highest that is right. Prints every other verdict, and how many pairs are as expected.
// Exit code 1 if a result is not as expected.
import '../help.mjs'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readVersion } from '../../generator/dist/cli/diff/diff-reading.js'
import { catalogueEntry } from '../../generator/dist/diff/change/catalogue.js'
import { compare } from '../../generator/dist/diff/compare.js'
import { prove } from '../../generator/dist/diff/proof/prove.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { refuse } from '../help.mjs'
import { flaw } from './witness.mjs'

const [given, ...flags] = process.argv.slice(2)
if (given === undefined) refuse()
const file = resolve(given)
const verbose = flags.includes('--verbose')
const expectations = expectationsOf(file)
const pairs = Array.isArray(expectations) ? expectations : []
const ledger = JSON.parse(readFileSync(new URL('ledger.json', import.meta.url), 'utf8'))
const explained = new Map(ledger.map((entry) => [entry.pair, entry]))
// The sunsets in the documents date from when the expectations were written.
const today = '2026-11-21'
const ranks = { identical: 0, info: 1, compatible: 1, dangerous: 2, breaking: 3 }
const ofOasdiff = { INFO: 1, WARN: 2, ERR: 3 }
const names = ['nothing', 'compatible', 'dangerous', 'breaking']

const tally = { ids: 0, verdicts: 0, ledger: 0, open: 0, failed: 0, witnesses: 0, flawed: 0 }
if (!Array.isArray(expectations)) process.exit((await haveVerdicts(Object.entries(expectations))) ? 0 : 1)
const disagreeing = new Set()
for (const pair of pairs) await run(pair, [pair.name, pair.base, pair.revision].join(' '))

const share = (count) => `${count} of ${pairs.length} (${((100 * count) / pairs.length).toFixed(1)} %)`
console.log(`ids agree       ${share(tally.ids)}`)
console.log(`verdicts agree  ${share(tally.verdicts)}`)
console.log(
  `in the ledger   ${tally.ledger}, ${tally.witnesses} of them with a witness that AJV confirms; unexplained ${tally.open}; failed ${tally.failed}`,
)
for (const { pair } of ledger)
  if (!disagreeing.has(pair)) console.log(`the ledger explains ${pair}, which agrees or is not in the file`)
process.exitCode = tally.open + tally.failed + tally.flawed === 0 ? 0 : 1

/** Whether all pairs have the expected verdicts. */
async function haveVerdicts(expected) {
  let right = 0
  for (const [name, verdicts] of expected) {
    const wrong = await wrongVerdicts(name, Object.entries(verdicts)).catch((error) => [error.message])
    if (wrong.length === 0) right += 1
    else console.log(`${name}: ${wrong.join('; ')}`)
  }
  console.log(`verdicts as expected  ${right} of ${expected.length}`)
  return right === expected.length
}

async function wrongVerdicts(name, expected) {
  const { verdict } = await reviewed(`${name}.old.json`, `${name}.new.json`)
  return expected.flatMap(([protocol, words]) => {
    const [, most, level] = /^(<=)?(\w+)$/.exec(words) ?? []
    const isRight = most ? ranks[verdict[protocol]] <= ranks[level] : verdict[protocol] === level
    return isRight ? [] : [`${protocol} ${verdict[protocol]}, expected ${words}`]
  })
}

async function reviewed(...names) {
  const sides = []
  for (const name of names) sides.push(await read(join(dirname(file), name)))
  return { sides, ...(await prove(compare(...sides, { today }), ...sides)) }
}

async function run(pair, key) {
  let changes
  let sides
  try {
    ;({ changes, sides } = await reviewed(pair.base, pair.revision))
  } catch (error) {
    tally.failed += 1
    console.log(`FAILED ${key}: ${verbose ? error.stack : error.message}`)
    return
  }
  // oasdiff only knows REST.
  const inRest = changes.filter(({ protocols }) => protocols.includes('rest'))
  const inScope = inRest.filter(({ id }) => pair.scopeIds === null || pair.scopeIds.includes(id))
  const least = ofOasdiff[pair.minLevel]
  const counted = inScope.filter(
    ({ id, level }) => ranks[catalogueEntry(id).level] >= least || ranks[level] >= least,
  )
  const ids = new Set(counted.filter(({ id }) => catalogueEntry(id).shared).map(({ id }) => id))
  const expected = new Set(pair.ids)
  const missing = [...expected].filter((id) => !ids.has(id))
  const extra = [...ids].filter((id) => !expected.has(id))
  const forbidden = pair.absent.filter((id) => ids.has(id))
  const idsAgree =
    forbidden.length === 0 &&
    (pair.match === 'any-of' ? missing.length < expected.size : missing.length === 0) &&
    (pair.match !== 'exact' || extra.length === 0)
  // The level of changes that both report; for an exact list, the worst level of all.
  const theirs = Math.max(0, ...pair.levels.map((level) => ofOasdiff[level]))
  const mine = counted.filter(({ id }) => pair.match === 'exact' || expected.has(id))
  const ours = Math.max(0, ...mine.map(({ level }) => ranks[level]).filter((rank) => rank >= least))
  const verdictsAgree = pair.match === 'any-of' ? anyLevel(pair, mine) : ours === theirs
  if (idsAgree) tally.ids += 1
  if (verdictsAgree) tally.verdicts += 1
  if (idsAgree && verdictsAgree) return
  disagreeing.add(key)
  if (explained.has(key)) {
    tally.ledger += 1
    const { witness } = explained.get(key)
    const wrong = witness && flaw(witness, ...sides.map(({ document }) => document.root))
    if (wrong !== undefined) {
      tally.flawed += 1
      console.log(`FLAWED ${key}: of the ledger's witness, ${wrong}`)
    } else if (witness !== undefined) tally.witnesses += 1
    if (!verbose) return
  } else tally.open += 1
  console.log(`${explained.has(key) ? 'ledger' : 'OPEN'} ${key}`)
  if (!idsAgree)
    console.log(
      `  ids: missing ${missing.join(' ') || '-'}; extra ${extra.join(' ') || '-'}; forbidden ${forbidden.join(' ') || '-'}`,
    )
  if (!verdictsAgree) console.log(`  verdict: theirs ${names[theirs]}, ours ${names[ours]}`)
  for (const { id, level, path, evidence } of counted)
    console.log(`    ${level} ${id} ${path} ${JSON.stringify(evidence ?? {}).slice(0, 140)}`)
}

function anyLevel(pair, mine) {
  return pair.ids.some((id, index) =>
    mine.some((change) => change.id === id && ranks[change.level] === ofOasdiff[pair.levels[index]]),
  )
}

async function read(path) {
  const found = await readVersion(path, dirname(path), { buildModel })
  if (found.side !== undefined) return found.side
  const error = found.diagnostics.find(({ severity }) => severity === 'error')
  throw new Error(`${path}: ${error?.code}: ${error?.message}`)
}

/** @param {string} path */
function expectationsOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(`${given} is not a file of expectations: ${error.message}`)
  }
}
