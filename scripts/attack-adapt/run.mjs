// Looks for calls and results that contradict what `duet adapt` has proved.
//
//   node scripts/attack-adapt/run.mjs OLD NEW [--cases NUMBER] [--seed TEXT]
//
// OLD and NEW are files of two versions, or versions under spec/. Up to NUMBER (25) random values that the sender accepts go
// through each converter with the verdict `proved`. The receiver must accept what it makes, and of `identity` params it must
// not fill in anything, since the runtime does not validate them again. Prints each contradiction as one line of JSON, and
// exits with 1 if there is one. OLD may have the same version as NEW: then it counts as the version before.
import '../help.mjs'
import { parseArgs } from 'node:util'
import { adaptationOf } from '../../generator/dist/adapt/adaptation.js'
import { Attacker } from '../../generator/dist/adapt/attack.js'
import { applied } from '../../generator/dist/adapt/plan/plan.js'
import { readVersions } from '../../generator/dist/cli/diff/diff-reading.js'
import { versionSource } from '../../generator/dist/cli/diff/diff-source.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { refuse } from '../help.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '25' }, seed: { type: 'string', default: '1' } },
})
const cwd = process.cwd()
const sources = positionals.map((name) => versionSource(name, cwd))
if (sources.length !== 2) refuse()
const read = await readVersions(sources, { buildModel })
for (const source of sources) source.dispose()
const [before, after] = read.map(({ side }) => side)
if (before?.model === undefined || after?.model === undefined) throw new Error('A document has no model')
const older = before.version === after.version ? asEarlier(before) : before

const attacker = new Attacker(older.model, after.model, { count: Number(values.cases), seed: values.seed })
const { operations } = adaptationOf(older, after, attacker.attack)
const kinds = ['identity', 'derived', 'written', 'gone']
const tally = {
  operations: operations.length,
  ...Object.fromEntries(kinds.map((kind) => [kind, operations.filter((one) => one.kind === kind).length])),
  proved: 0,
  notProved: 0,
  tried: 0,
  values: 0,
  contradictions: 0,
}
for (const operation of operations) for (const part of operation.parts) attack(operation, part)
console.log(JSON.stringify(tally))
process.exitCode = tally.contradictions === 0 ? 0 : 1

function attack(operation, { name, kind, plan, verdict }) {
  if (verdict.kind !== 'proved') {
    tally.notProved += 1
    return
  }
  tally.proved += 1
  const cases = attacker.cases(name, operation.before, operation.after)
  if (cases.length > 0) tally.tried += 1
  tally.values += cases.length
  for (const value of cases) {
    const made = applied(plan, value)
    const refusal = attacker.refusal(name, operation.before, operation.after, made)
    const filled = kind === 'identity' && name === 'params' ? filledIn(operation, value) : undefined
    const fault = refusal ?? filled
    if (fault === undefined) continue
    tally.contradictions += 1
    console.log(JSON.stringify({ operation: operation.name, part: name, kind, fault, value }))
    return
  }
}

function filledIn({ after: received }, value) {
  const whole = attacker.received('params', received, value)
  return JSON.stringify(whole) === JSON.stringify(value) ? undefined : `becomes ${JSON.stringify(whole)}`
}

/** Documents of a team that never changes the version. */
function asEarlier(side) {
  const version = `${side.version}-earlier`
  return { ...side, version, model: { ...side.model, version } }
}
