// Tests `contains` on labelled pairs: the project's own, and those of a JSON Schema Test Suite.
//
//   node scripts/bench-contains/run.mjs [CHECKOUT [DIALECT…]]
//
// Without CHECKOUT: pairs written by hand (pairs/), and pairs derived by refactoring, narrowing and widening
// schemas (made.mjs). With it: every instance and schema of the suite (suite.mjs). Prints for each kind how
// many were decided, how many wrongly, and the times. UNDECIDED=1 prints undecided pairs, KIND=text selects
// kinds, PAIRS=number sets the number of derived pairs, SECOND=1 has a second validator check the decisions.
import '../help.mjs'
import { dialects } from '../../generator/dist/document/vocabulary.js'
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
