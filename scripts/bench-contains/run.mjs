// Asks `contains` about labelled pairs: the project's own, and those that a JSON Schema Test Suite gives.
//
//   node scripts/bench-contains/run.mjs [CHECKOUT [DIALECT…]]
//
// Without CHECKOUT: pairs by thought (pairs/), and pairs made of schemas by refactoring, narrowing and widening them
// (made.mjs). With it: every instance and schema of the suite (suite.mjs). Printed for each kind: how many were decided,
// how many wrong, and the times. UNDECIDED=1 prints what stays unknown, KIND=text picks kinds, PAIRS=number says how
// many are made, SECOND=1 lets a second validator judge what was decided.
import '../help.mjs'
import { dialects } from '../../generator/dist/contains/schema/dialect.js'
import { madePairs } from './made.mjs'
import { pairs } from './pairs/index.mjs'
import { suiteFiles, suitePairs } from './suite.mjs'
import { Tally } from './tally.mjs'

const [checkout, ...asked] = process.argv.slice(2)
const tally = new Tally()
if (checkout === undefined) {
  for (const pair of pairs) tally.ask(pair)
  for (const pair of madePairs(Number(process.env.PAIRS ?? 600))) tally.ask(pair)
  tally.print()
  if (process.env.SECOND !== undefined) await tally.confirm()
} else {
  for (const dialect of asked.length > 0 ? asked : dialects) {
    const each = new Tally(dialect)
    for (const file of suiteFiles(checkout, dialect))
      for (const pair of suitePairs(file, dialect)) each.ask(pair)
    each.print()
    if (process.env.SECOND !== undefined) await each.confirm()
    tally.wrong += each.wrong
  }
}
process.exitCode = tally.wrong === 0 ? 0 : 1
