// Looks for documents whose `diff` misses what callers would notice.
//
//   node scripts/attack-diff/run.mjs [RUNS [SEED]]
//
// Two versions of a document have a random schema and a mutation of it: as a property of a body, a parameter, a result,
// and in a shared component. If no change is dangerous or breaking over JSON-RPC, the new version must accept the
// params that the old one accepts, and the old one must know the results of the new one. Prints each contradiction as
// one line of JSON with its value. By convention, a newly declared optional property is compatible, and so is what is
// asked of an object with it, although an open object may have had it before: those are counted as `declared`, and
// printed with DECLARED=1.
import { says } from '../attack-contains/says.mjs'
import '../help.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instances } from '../../generator/dist/contains/instances.js'
import { Judge } from '../../generator/dist/contains/judge.js'
import { compare } from '../../generator/dist/diff/compare.js'
import { Random } from '../bench-contains/random.mjs'
import { randomSchema } from '../bench-contains/random-schema.mjs'
import { documentAround, places, sideOf } from './documents.mjs'
import { mutated } from './mutation.mjs'
import { alone } from './oracle.mjs'
import { hasUndeclared } from './undeclared.mjs'

const dialect = '2020-12'
const [runs, seed] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 1)]
const random = new Random(seed)
const judge = new Judge(dialect, 'decimals')
const folder = mkdtempSync(join(tmpdir(), 'duet-attack-'))
const tally = { asked: 0, refused: 0, quiet: 0, declared: 0, contradictions: 0 }
try {
  for (let run = 0; run < runs; run++) {
    const [old, fresh] = pair()
    for (const place of places) await attack(place, old, fresh)
  }
} finally {
  rmSync(folder, { recursive: true })
}
console.log(JSON.stringify(tally))
process.exitCode = tally.contradictions === 0 ? 0 : 1

function pair() {
  const { definitions = {}, ...schema } = randomSchema(random, dialect)
  const [name] = Object.keys(definitions)
  const whole = { schema, shared: name === undefined ? {} : { Node: definitions[name] } }
  const old = JSON.parse(
    JSON.stringify(whole).replaceAll(`#/definitions/${name}`, '#/components/schemas/Node'),
  )
  return [old, mutated(old, random, () => randomSchema(random, dialect))]
}

async function attack(place, old, fresh) {
  const [before, after] = [
    await sideOf(folder, 'old.json', documentAround(place, old)),
    await sideOf(folder, 'new.json', documentAround(place, fresh)),
  ]
  tally.asked += 1
  if (before === undefined || after === undefined) {
    tally.refused += 1
    return
  }
  let comparison
  try {
    comparison = compare(before, after, { today: '2026-11-21' })
  } catch (error) {
    return report({ place: place.name, thrown: String(error), old, fresh })
  }
  const { verdict, changes } = comparison
  if (verdict.jsonrpc === 'breaking' || verdict.jsonrpc === 'dangerous') return
  tally.quiet += 1
  const said = {
    verdict: verdict.jsonrpc,
    changes: changes.map(({ level, id, path }) => `${level} ${id} ${path}`),
  }
  for (const direction of place.directions) {
    const [from, to] = direction === 'request' ? [old, fresh] : [fresh, old]
    const found = rejected(alone(from), alone(to))
    const value = found.find((one) => !hasUndeclared(one, from)) ?? found[0]
    const isAgreed = value !== undefined && hasUndeclared(value, from)
    if (value !== undefined) report({ place: place.name, direction, value, ...said, old, fresh }, isAgreed)
  }
}

/** Values that one schema accepts and the other rejects. */
function rejected(from, to) {
  const [gives, takes] = [judge.compile(from), judge.compile(to)]
  if (typeof gives === 'string' || typeof takes === 'string') return []
  const { components, ...given } = from
  const { components: _, ...taken } = to
  // The second looks for values that only the one schema accepts.
  const beside = { components, allOf: [given, { not: taken }] }
  const values = [
    ...instances(from, 12, { dialect, seed: random.below(1000) }),
    ...instances(beside, 3, { dialect }),
  ]
  return values.filter((value) => says(gives, value) === true && says(takes, value) === false)
}

function report(contradiction, isAgreed = false) {
  const declares = /(?:new-optional-request-(?:parameter-)?property|response-optional-property-added) /
  const { changes = [] } = contradiction
  if (isAgreed || (changes.length > 0 && changes.every((change) => declares.test(change)))) {
    tally.declared += 1
    if (process.env.DECLARED === undefined) return
  } else tally.contradictions += 1
  console.log(JSON.stringify(contradiction))
}
