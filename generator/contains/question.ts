import { Undecidable } from '../patterns/budget.js'
import { fingerprint } from '../schema/canonical.js'
import { type Formula, types } from './formula/formula.js'
import type { Formulas } from './formula/formulas.js'
import { satisfies } from './formula/satisfaction.js'
import type { Accepts } from './judge.js'
import type { Reading } from './schema/dialect.js'
import type { SchemaReader } from './schema/schema-reader.js'
import type { Site } from './schema/site.js'
import type { Peculiarity } from './schema/subschema.js'
import { isEndless } from './search/endless.js'
import type { Solver } from './search/solver.js'
import { isObject, type Json } from './values/value.js'
import { guarded, unknown, type Verdict } from './verdict.js'

/** A schema in its document, ready to be compared. */
export interface Subject {
  readonly site: Site
  readonly document: Json
}

export interface Engine {
  readonly formulas: Formulas
  readonly readers: { readonly [reading in Reading]: SchemaReader }
  readonly solver: Solver
}

/** What a question asks of its containment. */
interface Engines {
  /** Formulas, readers and solver, with a fresh budget or a share of one. */
  engine(share?: number): Engine
  /** AJV's own verdict for values of a subject, or why it refuses the schema. */
  accepts(subject: Subject): Accepts | string
}

/** The state of one question. */
export class Question {
  readonly #engine: Engine
  /** How often AJV overflowed its stack, which takes a long time. */
  #failures = 0

  constructor(
    readonly containment: Engines,
    readonly a: Subject,
    readonly b: Subject,
    share = 1,
    /** Whether to confirm a value that is found. Without confirmation it proves nothing. */
    readonly isConfirming = true,
  ) {
    this.#engine = containment.engine(share)
  }

  /** `contained` if neither reading leaves a value and the schemas have no peculiarity. */
  proof(): Verdict {
    const isEmpty = (reading: Reading): boolean => {
      const { values, complete } = this.#engine.solver.models(this.#goal(reading), 1)
      return values.length === 0 && complete
    }
    // Peculiarities are known when everything has been read, which costs most, so this comes last.
    if (!isEmpty('ajv')) return unknown('no proof was found')
    const { ajv } = this.#engine.readers
    if ([this.a, this.b].some(({ site }) => isEndless(ajv.refer(site)))) return unknown(endless)
    const odd = this.#peculiarities()
    if (unsound.some((one) => odd.has(one))) return unknown('AJV may deviate from the specification here')
    return odd.has('reading') && !isEmpty('specification') ? unknown(disagreement) : { verdict: 'contained' }
  }

  /** The verdict. Throws Undecidable if AJV refuses a schema, RangeError if nesting is too deep. */
  verdict(): Verdict {
    const { a, b } = this
    const alone = a.site.schema === a.document && b.site.schema === b.document
    if (alone && fingerprint(a.document) === fingerprint(b.document)) return { verdict: 'contained' }
    const reader = this.#engine.readers.ajv
    for (const reference of [reader.refer(a.site), reader.refer(b.site)])
      if (isEndless(reference)) return unknown(endless)
    // Schemas with equal keywords are the same schema, however AJV reads them.
    if (reader.refer(this.a.site) === reader.refer(this.b.site)) return { verdict: 'contained' }
    if (this.#peculiarities().has('content')) return unknown('validators differ on contentEncoding')
    const listed = this.#listed()
    const found = guarded(() => this.#decide())
    if (found.verdict === 'not-contained') return found
    if (listed !== undefined && listed.length <= askedOneByOne) return this.#among(listed, found)
    if (found.verdict === 'unknown') return this.isConfirming ? this.#rescue(found) : found
    const objection = this.#objection()
    return objection === undefined || this.#isWithoutValues() ? found : objection
  }

  /** Whether A has no instance. Then AJV's reading of B is irrelevant. */
  #isWithoutValues(): boolean {
    const { readers, solver } = this.containment.engine(0.3)
    const { values, complete } = solver.models([readers.ajv.refer(this.a.site)], 1)
    const odd = readers.ajv.peculiarities([this.a.site])
    return values.length === 0 && complete && !['reading' as const, ...unsound].some((one) => odd.has(one))
  }

  #rescue(found: Verdict): Verdict {
    const attempt = guarded(() => this.#attempt(true))
    return attempt?.verdict === 'not-contained' ? attempt : found
  }

  /** The verdict that both readings agree on. A witness must be one under both. */
  #decide(): Verdict {
    const goal = this.#goal('ajv')
    const answer = this.#search(goal)
    if (answer.verdict === 'unknown' || !this.#peculiarities().has('reading')) return answer
    const other = this.#goal('specification')
    if (answer.verdict === 'contained') {
      const bySpecification = this.#search(other)
      return bySpecification.verdict === 'not-contained' ? unknown(disagreement) : bySpecification
    }
    if (this.#isSpecified(answer.witness)) return answer
    const byBoth = this.#search([...goal, ...other])
    return byBoth.verdict === 'contained' ? unknown(disagreement) : byBoth
  }

  /** Whether a value is also a witness by exact arithmetic and the specification. */
  #isSpecified(value: Json): boolean {
    return this.#opinions(value).every((opinion) => opinion)
  }

  /** Whether a value is a witness, according to each reading that differs. */
  #opinions(value: Json): boolean[] {
    const asked = (reading: Reading): boolean =>
      this.#goal(reading).every((part) => satisfies(this.#engine.formulas.languages, part, value))
    const byAjv = asked('ajv')
    return this.#peculiarities().has('reading') ? [byAjv, asked('specification')] : [byAjv]
  }

  #peculiarities(): ReadonlySet<Peculiarity> {
    return this.#engine.readers.ajv.peculiarities([this.a.site, this.b.site])
  }

  #goal(reading: Reading): Formula[] {
    const { formulas, readers } = this.#engine
    return [readers[reading].refer(this.a.site), formulas.not(readers[reading].refer(this.b.site))]
  }

  #search(goal: readonly Formula[]): Verdict {
    for (const want of [1, 12]) {
      const { values, complete, reason } = this.#engine.solver.models(goal, want)
      if (values.length > 0 && !this.isConfirming) return unknown('a value was found')
      const witness = values.map(throughText).find((value) => this.#isWitness(value))
      if (witness !== undefined) return { verdict: 'not-contained', witness }
      if (values.length === 0)
        return complete ? { verdict: 'contained' } : unknown(reason ?? 'no value was found')
      if (complete) break
    }
    return unknown('a value was found that AJV does not confirm')
  }

  /**
   * If A lists its values, AJV decides each one. A proof to the contrary means that AJV deviates from the
   * specification.
   */
  #among(listed: readonly Json[], found: Verdict): Verdict {
    let witness: Json | undefined
    for (const value of listed) {
      const isWitness = this.#tells(value)
      if (isWitness === undefined) return unknown('AJV fails on a value that A lists')
      if (this.#opinions(value).some((opinion) => opinion !== isWitness)) return unknown(disagreement)
      if (isWitness) witness ??= value
    }
    if (witness !== undefined) return { verdict: 'not-contained', witness }
    return found.verdict === 'not-contained' ? unknown(disagreement) : { verdict: 'contained' }
  }

  /** Why a proof does not count: a known deviation of AJV. */
  #objection(): Verdict | undefined {
    const odd = this.#peculiarities()
    if (odd.has('dynamic'))
      return unknown('AJV and the specification resolve this dynamic reference differently')
    if (odd.has('repeated')) return unknown('AJV may reuse the result of the previous array for a short one')
    if (odd.has('nested')) return unknown('validators differ on unevaluatedItems here')
    if (odd.has('unevaluated') && guarded(() => this.#attempt(false))?.verdict === 'not-contained')
      return unknown('AJV and the specification differ on evaluated items')
    return undefined
  }

  /** The only possible values of A, if it lists them. */
  #listed(): readonly Json[] | undefined {
    const { schema } = this.a.site
    if (!isObject(schema) || Object.hasOwn(schema, '$ref')) return undefined
    if (Array.isArray(schema.enum)) return schema.enum
    return Object.hasOwn(schema, 'const') && schema.const !== undefined ? [schema.const] : undefined
  }

  /** Looks for a witness among values of A, and among values that B excludes. `agreed`: according to both readings. */
  #attempt(agreed: boolean): Verdict | undefined {
    const { solver, formulas } = this.containment.engine(0.3)
    const infinity = Number.POSITIVE_INFINITY
    const kinds = [
      formulas.always,
      formulas.type(types.array | types.object),
      ...[2, 3].flatMap((size) => [
        formulas.all([formulas.type(types.array), formulas.size('items-size', size, infinity)]),
        formulas.all([formulas.type(types.object), formulas.size('size', size, infinity)]),
      ]),
    ]
    for (const part of this.#goal('ajv').flatMap((one) => kinds.map((kind) => [one, kind]))) {
      const { values } = solver.models(part, 12)
      const witness = values
        .map(throughText)
        .find((value) => this.#isWitness(value) && (!agreed || this.#isSpecified(value)))
      if (witness !== undefined) return { verdict: 'not-contained', witness }
    }
    return undefined
  }

  #isWitness(value: Json): boolean {
    return this.#tells(value) === true
  }

  /** Whether AJV accepts a value under A alone. Undefined if validation itself fails, such as by endless recursion. */
  #tells(value: Json): boolean | undefined {
    const a = this.containment.accepts(this.a)
    if (typeof a === 'string') throw new Undecidable(a)
    const b = this.containment.accepts(this.b)
    if (typeof b === 'string') throw new Undecidable(b)
    if (this.#failures > 3) throw new Undecidable('AJV fails on values of these schemas')
    try {
      return a(value) && !b(value)
    } catch {
      this.#failures += 1
      return undefined
    }
  }
}

/** Peculiarities that make an unsuccessful search prove nothing. */
const unsound: readonly Peculiarity[] = ['content', 'dynamic', 'repeated', 'nested', 'unevaluated']

/** The largest number of values that AJV checks one by one: the time grows with the square. */
const askedOneByOne = 500

const endless = 'a reference leads back to itself'
const disagreement = 'AJV and the specification read these schemas differently'

/** A value after conversion to JSON text and back. */
function throughText(value: Json): Json {
  return JSON.parse(JSON.stringify(value))
}
