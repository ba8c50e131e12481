// Asks `contains` about every instance and schema of a JSON Schema Test Suite, against what AJV says of them.
//
//   node scripts/bench-contains/run.mjs CHECKOUT [DIALECT…]
//
// Each test gives two questions: the instance, listed and spelt out by keywords, against its schema. Each schema is asked
// about itself and about the other schemas of its file. Printed: how many were decided, how many wrong, and the times.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contains } from '../../generator/dist/contains/contains.js'
import { dialects } from '../../generator/dist/contains/dialect.js'
import { Judge } from '../../generator/dist/contains/judge.js'

const [checkout, ...asked] = process.argv.slice(2)
if (checkout === undefined) {
  console.error('Usage: node scripts/bench-contains/run.mjs CHECKOUT [DIALECT…]')
  process.exit(2)
}

let wrong = 0
for (const dialect of asked.length > 0 ? asked : dialects) {
  const folder = join(checkout, 'tests', dialect.startsWith('draft') ? dialect : `draft${dialect}`)
  const tally = { listed: summary(), 'spelt out': summary(), itself: summary(), 'each other': summary() }
  for (const name of [...testFiles(folder), ...testFiles(join(folder, 'optional'))]) ask(dialect, name, tally)
  for (const [kind, { asked, decided, mistakes, times }] of Object.entries(tally)) {
    times.sort((a, b) => a - b)
    const at = (part) => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1)
    const share = ((100 * decided) / asked).toFixed(1)
    console.log(
      `${dialect.padEnd(8)} ${kind.padEnd(11)} ${String(asked).padStart(5)} asked  ${share.padStart(5)} % decided  ` +
        `${mistakes} wrong  median ${at(0.5)} ms  99 % ${at(0.99)} ms  worst ${at(1)} ms`,
    )
    wrong += mistakes
  }
}
process.exitCode = wrong === 0 ? 0 : 1

function summary() {
  return { asked: 0, decided: 0, mistakes: 0, times: [] }
}

function testFiles(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

function ask(dialect, file, tally) {
  const judge = new Judge(dialect)
  const groups = JSON.parse(readFileSync(file, 'utf8'))
    .map(({ schema, tests }) => ({ schema, tests, accepts: judge.compile(schema) }))
    .filter(({ accepts }) => typeof accepts !== 'string')
  for (const { schema, tests, accepts } of groups) {
    for (const { data } of tests) {
      const valid = says(accepts, data)
      const expected = valid === undefined ? undefined : valid ? 'contained' : 'not-contained'
      question(tally.listed, { enum: [data] }, schema, dialect, expected)
      question(tally['spelt out'], speltOut(data, dialect), schema, dialect, expected)
    }
    question(tally.itself, schema, structuredClone(schema), dialect, 'contained')
  }
  for (const one of groups)
    for (const other of groups) {
      if (one === other) continue
      const values = [...one.tests, ...other.tests].map(({ data }) => data)
      const refuted = values.some(
        (data) => says(one.accepts, data) === true && says(other.accepts, data) === false,
      )
      question(tally['each other'], one.schema, other.schema, dialect, refuted ? 'not-contained' : undefined)
    }
}

function question(sum, a, b, dialect, expected) {
  const start = performance.now()
  const { verdict, reason } = contains(a, b, { dialect })
  sum.times.push(performance.now() - start)
  sum.asked += 1
  if (verdict === 'unknown') return
  sum.decided += 1
  if (expected === undefined || verdict === expected) return
  sum.mistakes += 1
  console.log(`WRONG ${verdict} ${JSON.stringify({ a, b, dialect, reason })}`)
}

function says(accepts, value) {
  try {
    return accepts(value)
  } catch {
    return undefined
  }
}

/** A schema of exactly one value, without enum and const where other keywords do. */
function speltOut(value, dialect) {
  if (value === null) return { type: 'null' }
  if (typeof value === 'boolean') return { type: 'boolean', enum: [value] }
  if (typeof value === 'number') return { type: 'number', minimum: value, maximum: value }
  if (typeof value === 'string') return { type: 'string', pattern: `^${[...value].map(escaped).join('')}$` }
  if (Array.isArray(value)) {
    const size = { type: 'array', minItems: value.length, maxItems: value.length }
    const items = value.map((item) => speltOut(item, dialect))
    return items.length === 0 ? size : { ...size, [dialect === '2020-12' ? 'prefixItems' : 'items']: items }
  }
  const names = Object.keys(value)
  const properties = Object.fromEntries(names.map((name) => [name, speltOut(value[name], dialect)]))
  const closed = { type: 'object', additionalProperties: false, properties }
  return names.length === 0 ? closed : { ...closed, required: names }
}

function escaped(character) {
  return `\\u{${character.codePointAt(0).toString(16)}}`
}
