// Attacks verdicts of `contains` with random pairs of schemas over all keywords. Checks each `not-contained`
// by its witness, and each `contained` by values of A, values near both schemas' constants and a small
// universe, under AJV and a second validator.
//
//   node scripts/attack-contains/run.mjs [SECONDS [SEED [DIALECT…]]]
//
// SHAPES=1: only schemas in the shape of published ones. REASONS=1: why pairs stayed unknown. Prints how many
// pairs were tried and decided, and what contradicts a verdict. Exits with 1 if anything does.
import { says } from './says.mjs'
import '../help.mjs'
import { contains } from '../../generator/dist/contains/contains.js'
import { instances } from '../../generator/dist/contains/instances.js'
import { judgeOf } from '../../generator/dist/contains/judge.js'
import { dialects } from '../../generator/dist/document/vocabulary.js'
import { Random } from '../bench-contains/random.mjs'
import { refactored } from '../bench-contains/refactoring.mjs'
import { secondJudge } from '../bench-contains/second-judge.mjs'
import { changed, SchemaMaker } from './schemas.mjs'
import { ShapeMaker } from './shapes.mjs'
import { mutated, near, universe } from './values.mjs'

const [seconds = '60', seed = '1', ...asked] = process.argv.slice(2)
const sums = { asked: 0, contained: 0, 'not-contained': 0, unknown: 0, wrong: 0, values: 0 }
const reasons = new Map()
const random = new Random(Number(seed) * 7919)
const asserting = /"format":/
const judges = new Map(dialects.map((dialect) => [dialect, remembering(judgeOf(dialect))]))
process.on('unhandledRejection', () => {
  // For recursive schemas, the second validator may overflow the stack on its own.
})
const end = performance.now() + 1000 * Number(seconds)
while (performance.now() < end) {
  const dialect = random.pick(asked.length > 0 ? asked : dialects)
  const Maker = process.env.SHAPES !== undefined || random.once(2) ? ShapeMaker : SchemaMaker
  const maker = new Maker(random, dialect)
  const a = maker.document()
  for (const b of partners(a, maker)) {
    await attack(a, b, dialect)
    if (random.once(2)) await attack(b, a, dialect)
  }
}
console.log(JSON.stringify({ seed, ...sums }))
if (process.env.REASONS !== undefined) console.log([...reasons].sort((a, b) => b[1] - a[1]).slice(0, 30))
process.exitCode = sums.wrong === 0 ? 0 : 1

function* partners(a, maker) {
  const other = maker.document()
  yield other
  yield changed(a, other, random)
  yield changed(changed(a, other, random), other, random)
  yield refactored(a, maker.dialect, random)
  if (random.once(4)) yield { not: {} }
}

async function attack(a, b, dialect) {
  const { verdict, witness, reason } = contains(a, b, { dialect, budgetMs: 300, judge: judges.get(dialect) })
  sums.asked += 1
  sums[verdict] += 1
  if (verdict === 'unknown') reasons.set(reason.slice(0, 70), (reasons.get(reason.slice(0, 70)) ?? 0) + 1)
  else if (verdict === 'not-contained') await compare(a, b, dialect, [witness], verdict)
  else await compare(a, b, dialect, attempts(a, b, dialect), verdict)
}

function* attempts(a, b, dialect) {
  yield* near([a, b])
  yield* universe
  const own = instances(a, 6, { dialect, seed: random.below(1e6), judge: judges.get(dialect) })
  yield* own
  for (const value of own)
    for (let i = 0; i < 12; i++) yield mutated(random.once(3) ? mutated(value, random) : value, random)
}

async function compare(a, b, dialect, values, verdict) {
  const judge = judges.get(dialect)
  const [byA, byB] = [judge.compile(a), judge.compile(b)]
  if (typeof byA === 'string' || typeof byB === 'string') return report('refused', { a, b, dialect, verdict })
  const [secondA, secondB] = [await secondJudge(a, dialect), await secondJudge(b, dialect)]
  const seconds = typeof secondA === 'string' || typeof secondB === 'string' ? undefined : [secondA, secondB]
  let [checked, failures] = [0, 0]
  for (const value of values) {
    sums.values += 1
    const inA = says(byA, value)
    const told = inA === true && says(byB, value) === false
    // A validator that overflows the stack takes long to do so.
    failures += Number(inA === undefined)
    if (failures > 3) return
    // The second validator is slower, so ask it only if it could disagree.
    const needsSecond = told || verdict === 'not-contained' || checked < 30
    const second = needsSecond && seconds !== undefined ? verdictOf(seconds, value) : undefined
    checked += Number(second !== undefined)
    const isWitness = verdict === 'not-contained'
    if (told !== isWitness) return report('by AJV', { a, b, dialect, verdict, value, second })
    // The second validator treats formats as annotations.
    if (second !== undefined && second !== isWitness && !asserting.test(JSON.stringify([a, b])))
      return report('by the second', { a, b, dialect, verdict, value })
  }
}

/** The judge of a dialect, compiling each schema once. */
function remembering(judge) {
  const known = new WeakMap()
  const compile = (schema) => {
    if (typeof schema !== 'object') return judge.compile(schema)
    if (!known.has(schema)) known.set(schema, judge.compile(schema))
    return known.get(schema)
  }
  return { compile, external: (uri) => judge.external(uri) }
}

/** Whether a value is a witness by the second validator; undefined if that validator fails on it. */
function verdictOf([accepts, refuses], value) {
  const inA = accepts(value)
  return inA === true ? not(refuses(value)) : inA
}

function not(told) {
  return told === undefined ? undefined : !told
}

function report(label, found) {
  sums.wrong += 1
  console.log(`WRONG ${label}: ${JSON.stringify(found)}`)
}
