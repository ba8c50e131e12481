import { instances } from '../../generator/dist/contains/instances.js'
import { Judge } from '../../generator/dist/contains/judge.js'
import { SchemaMaker } from '../attack-contains/schemas.mjs'
import { published } from './pairs/published.mjs'
import { Random } from './random.mjs'
import { refactored } from './refactoring.mjs'

/**
 * About `count` pairs by construction, the same for the same count: a schema against others that say the same, against
 * itself with one more condition, within a union, and without one of its instances.
 */
export function* madePairs(count) {
  const random = new Random(20)
  const judges = new Map()
  const sources = Object.values(published)
  for (let made = 0; made < count; ) {
    const [dialect, schema] =
      made % 10 === 0
        ? random.pick(sources)
        : random.pick(dialects).flatMap((name) => [name, new SchemaMaker(random, name).document()])
    if (!judges.has(dialect)) judges.set(dialect, new Judge(dialect))
    const accepts = judges.get(dialect).compile(schema)
    if (typeof accepts === 'string') continue
    for (const pair of around(schema, dialect, accepts, random)) {
      made += 1
      yield { ...pair, dialect }
    }
  }
}

const dialects = [['draft4'], ['draft6'], ['draft7'], ['2019-09'], ['2020-12']]

function* around(schema, dialect, accepts, random) {
  const twin = refactored(schema, dialect, random)
  yield { kind: 'refactored', a: schema, b: twin, expected: 'contained' }
  yield { kind: 'refactored', a: twin, b: schema, expected: 'contained' }
  const { definitions = {}, $schema: _, ...bare } = schema
  const { definitions: more, ...extra } = new SchemaMaker(random, dialect).document('y')
  const both = { definitions: { ...definitions, ...more } }
  const narrow = { ...both, allOf: [bare, extra] }
  const union = { ...both, anyOf: [extra, refactored(bare, dialect, random)] }
  yield { kind: 'with a condition', a: narrow, b: schema, expected: 'contained' }
  yield { kind: 'in a union', a: schema, b: union, expected: 'contained' }
  const values = instances(schema, 4, { dialect, seed: random.below(1000) })
  if (values.length === 0) return
  const value = random.pick(values)
  const without = { definitions, allOf: [refactored(bare, dialect, random), { not: { enum: [value] } }] }
  yield {
    kind: 'without a value',
    a: schema,
    b: without,
    expected: accepts(value) ? 'not-contained' : undefined,
  }
  yield { kind: 'without a value', a: without, b: schema, expected: 'contained' }
}
