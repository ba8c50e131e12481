import type { Dialect } from '../document/vocabulary.js'
import { Budget, Undecidable } from '../patterns/budget.js'
import { fingerprint } from '../schema/canonical.js'
import { type Formula, types } from './formula/formula.js'
import { Formulas } from './formula/formulas.js'
import { judgeOf, type Referee } from './judge.js'
import { SchemaDocument } from './schema/schema-document.js'
import { SchemaReader } from './schema/schema-reader.js'
import { siteAt } from './schema/site.js'
import { Solver } from './search/solver.js'
import { fraction } from './values/rational.js'
import type { Json } from './values/value.js'

/**
 * Up to `count` different instances of a schema, each accepted by AJV. The same seed gives the same
 * instances.
 *
 * Returns fewer if there are no others or none are found, and none if AJV refuses the schema.
 */
export function instances(schema: Json, count: number, options: InstanceOptions): Json[] {
  const judge = options.judge ?? judgeOf(options.dialect)
  const accepts = judge.compile(schema)
  if (typeof accepts === 'string') return []
  const formulas = new Formulas()
  const document = new SchemaDocument(schema, options.dialect, (uri) => judge.external(uri))
  const reader = new SchemaReader(formulas, options.dialect, 'ajv')
  const found = new Map<string, Json>()
  const random = generator(options.seed ?? 1)
  try {
    const formula = reader.refer(siteAt(document, ''))
    const solver = new Solver(formulas, new Budget(200_000, 5000))
    for (let attempt = 0; attempt < 4 * count && found.size < count; attempt++) {
      const flavours = attempt === 0 ? [] : [flavour(formulas, random)]
      for (const value of solver.models([formula, ...flavours], 1 + Math.floor(random() * 3)).values)
        add(value)
    }
  } catch (error) {
    if (!(error instanceof Undecidable || error instanceof RangeError)) throw error
  }
  return [...found.values()].slice(0, count)

  function add(value: Json): void {
    const text: Json = JSON.parse(JSON.stringify(value))
    try {
      if (typeof accepts === 'function' && accepts(text)) found.set(fingerprint(text), text)
    } catch {
      // If AJV itself fails on a value, it does not accept it.
    }
  }
}

interface InstanceOptions {
  readonly dialect: Dialect
  readonly seed?: number
  /** Accepts or refuses instances. Default: AJV. */
  readonly judge?: Referee
}

/** A random condition, for values that differ from the smallest ones. */
function flavour(formulas: Formulas, random: () => number): Formula {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const infinity = Number.POSITIVE_INFINITY
  switch (upTo(6)) {
    case 0: {
      const limit = fraction(BigInt(upTo(2000) - 1000), BigInt(1 + upTo(3)))
      return formulas.all([
        formulas.type(types.number),
        formulas.bound(upTo(2) === 0 ? 'min' : 'max', limit, false),
      ])
    }
    case 1:
      return formulas.all([
        formulas.type(types.string),
        formulas.text(formulas.languages.length(upTo(12), infinity)),
      ])
    case 2:
      return formulas.all([formulas.type(types.array), formulas.size('items-size', upTo(4), infinity)])
    case 3:
      return formulas.all([formulas.type(types.object), formulas.size('size', upTo(5), infinity)])
    case 4:
      return formulas.type(types.null | types.boolean)
    default:
      return formulas.type(types.object | types.array)
  }
}

/** Mulberry32, by Tommy Ettinger: pseudo-random numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
