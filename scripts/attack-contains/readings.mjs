// Compares how `contains` understands a schema with what validators do. Takes random schemas over all
// keywords, and checks many small values of each: under AJV with one reading, under a second validator with
// the other.
//
//   node scripts/attack-contains/readings.mjs [SECONDS [SEED [DIALECT…]]]
//
// Exits with 1 if a validator contradicts its reading, unless `contains` knows that AJV differs there.
import { says } from './says.mjs'
import '../help.mjs'
import { Formulas } from '../../generator/dist/contains/formula/formulas.js'
import { satisfies } from '../../generator/dist/contains/formula/satisfaction.js'
import { judgeOf } from '../../generator/dist/contains/judge.js'
import { SchemaDocument } from '../../generator/dist/contains/schema/schema-document.js'
import { SchemaReader } from '../../generator/dist/contains/schema/schema-reader.js'
import { siteAt } from '../../generator/dist/contains/schema/site.js'
import { isEndless } from '../../generator/dist/contains/search/endless.js'
import { dialects } from '../../generator/dist/document/vocabulary.js'
import { Random } from '../bench-contains/random.mjs'
import { secondJudge } from '../bench-contains/second-judge.mjs'
import { SchemaMaker } from './schemas.mjs'
import { near, universe } from './values.mjs'

const [seconds = '60', seed = '1', ...asked] = process.argv.slice(2)
const knownToDiffer = ['inherited', 'dynamic', 'unevaluated', 'nested', 'repeated']
const random = new Random(Number(seed) * 104729)
const sums = { schemas: 0, refused: 0, 'by AJV': 0, 'by the second': 0 }
process.on('unhandledRejection', () => {
  // For recursive schemas, the second validator may overflow the stack on its own.
})
const end = performance.now() + 1000 * Number(seconds)
while (performance.now() < end) {
  const dialect = random.pick(asked.length > 0 ? asked : dialects)
  const schema = new SchemaMaker(random, dialect).document()
  sums.schemas += 1
  const judge = judgeOf(dialect)
  const byAjv = judge.compile(schema)
  if (typeof byAjv === 'string') sums.refused += 1
  else await compare(schema, dialect, judge, byAjv)
}
console.log(JSON.stringify({ seed, ...sums }))
process.exitCode = sums['by AJV'] + sums['by the second'] === 0 ? 0 : 1

async function compare(schema, dialect, judge, byAjv) {
  const formulas = new Formulas()
  const document = new SchemaDocument(schema, dialect, (uri) => judge.external(uri))
  const second = await secondJudge(schema, dialect)
  const values = [...near([schema]), ...universe.filter(() => random.once(8))]
  for (const [label, reading, accepts] of [
    ['by AJV', 'ajv', byAjv],
    ['by the second', 'specification', second],
  ]) {
    if (typeof accepts === 'string') continue
    const reader = new SchemaReader(formulas, dialect, reading)
    const site = siteAt(document, '')
    let formula
    try {
      formula = reader.refer(site)
      if (isEndless(formula)) return
    } catch {
      return
    }
    for (const value of values) {
      const [read, told] = [says((one) => satisfies(formulas, formula, one), value), says(accepts, value)]
      if (read === undefined || told === undefined || read === told) continue
      const odd = reader.peculiarities([site])
      if (label === 'by AJV' && knownToDiffer.some((one) => odd.has(one))) break
      sums[label] += 1
      console.log(`${label}: ${JSON.stringify({ dialect, schema, value, read, told })}`)
      break
    }
  }
}
