import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Judge } from '../../generator/dist/contains/judge.js'
import { says } from '../attack-contains/says.mjs'

/** The files of a JSON Schema Test Suite for one dialect. */
export function suiteFiles(checkout, dialect) {
  const folder = join(checkout, 'tests', dialect.startsWith('draft') ? dialect : `draft${dialect}`)
  return [folder, join(folder, 'optional')].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(place, name)),
  )
}

/**
 * Each test gives two pairs: the instance, as a constant and in keywords, and its schema. Also compares each
 * schema with itself and with the other schemas of its file. AJV decides what is expected.
 */
export function* suitePairs(file, dialect) {
  const judge = new Judge(dialect)
  const groups = JSON.parse(readFileSync(file, 'utf8'))
    .map(({ schema, tests }) => ({ schema, tests, accepts: judge.compile(schema) }))
    .filter(({ accepts }) => typeof accepts !== 'string')
  for (const { schema, tests, accepts } of groups) {
    for (const { data } of tests) {
      const valid = says(accepts, data)
      const expected = valid === undefined ? undefined : valid ? 'contained' : 'not-contained'
      yield { kind: 'listed', a: { enum: [data] }, b: schema, dialect, expected }
      yield { kind: 'spelt out', a: speltOut(data, dialect), b: schema, dialect, expected }
    }
    yield { kind: 'itself', a: schema, b: schema, dialect, expected: 'contained' }
  }
  for (const one of groups)
    for (const other of groups) {
      if (one === other) continue
      const values = [...one.tests, ...other.tests].map(({ data }) => data)
      const refuted = values.some(
        (data) => says(one.accepts, data) === true && says(other.accepts, data) === false,
      )
      yield {
        kind: 'each other',
        a: one.schema,
        b: other.schema,
        dialect,
        expected: refuted ? 'not-contained' : undefined,
      }
    }
}

/** A schema of exactly one value; avoids enum and const if other keywords suffice. */
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
