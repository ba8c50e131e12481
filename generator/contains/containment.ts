import type { Dialect } from '../document/vocabulary.js'
import { Budget } from '../patterns/budget.js'
import { Formulas } from './formula/formulas.js'
import { type Accepts, Judge, type Referee } from './judge.js'
import { type Engine, Question, type Subject } from './question.js'
import type { Arithmetic, Formats, Reading } from './schema/dialect.js'
import { SchemaDocument } from './schema/schema-document.js'
import { SchemaReader } from './schema/schema-reader.js'
import { siteAt } from './schema/site.js'
import { Solver } from './search/solver.js'
import type { Json } from './values/value.js'
import { guarded, unknown, type Verdict } from './verdict.js'

export interface ContainmentOptions {
  readonly dialect: Dialect
  /** Milliseconds of processor time for one question. Default: 1000. Usually the limit on steps is reached first. */
  readonly budgetMs?: number
  /** Whether formats are asserted. Default: yes. */
  readonly formats?: Formats
  /** How `multipleOf` divides. Default: like AJV. */
  readonly arithmetic?: Arithmetic
  /** The schemas are known to be valid: validating them against the meta-schema takes longer than all else. */
  readonly isChecked?: boolean
  /** Confirms witnesses. Default: AJV. */
  readonly judge?: Referee
}

/**
 * Compares schemas of one or more documents and remembers the results. Analyses equal subschemas once,
 * whichever document and operation they come from.
 */
export class Containment {
  readonly judge: Referee
  readonly #options: ContainmentOptions
  readonly #documents = new Map<Json, SchemaDocument>()
  #engine: Engine | undefined
  readonly #accepts = new Map<Json, Map<Json, Accepts | string>>()

  constructor(options: ContainmentOptions) {
    this.#options = options
    this.judge = options.judge ?? new Judge(options.dialect, options.arithmetic, options.isChecked)
  }

  /**
   * A schema given by its RFC 6901 pointer, or directly; references in it lead into the document.
   *
   * Throws Undecidable if the pointer leads nowhere.
   */
  subject(document: Json, schema: string | Json): Subject {
    let known = this.#documents.get(document)
    if (known === undefined) {
      known = new SchemaDocument(document, this.#options.dialect, (uri) => this.judge.external(uri))
      this.#documents.set(document, known)
    }
    const start = siteAt(known, typeof schema === 'string' ? schema : '')
    return { site: typeof schema === 'string' ? start : { ...start, schema }, document }
  }

  /**
   * Whether every instance of `a` is one of `b`. Throws nothing.
   *
   * Compiles a schema that is its own document with AJV in any case, and decides nothing if AJV refuses it.
   * Schemas within larger documents are compiled only to confirm a witness: their documents were checked when
   * loaded.
   */
  decide(a: Subject, b: Subject): Verdict {
    return this.#decide(a, b, true)
  }

  /**
   * Whether `decide` would return that every instance of `a` is one of `b`. Does not confirm witnesses, which
   * takes longest.
   */
  isContained(a: Subject, b: Subject): boolean {
    return this.#decide(a, b, false).verdict === 'contained'
  }

  #decide(a: Subject, b: Subject, isConfirming: boolean): Verdict {
    return guarded(() => {
      for (const subject of [a, b]) {
        const compiled = subject.site.schema === subject.document ? this.accepts(subject) : undefined
        if (typeof compiled === 'string') return unknown(compiled)
      }
      return new Question(this, a, b, 1, isConfirming).verdict()
    })
  }

  /**
   * Whether a search with a share of the budget proves that every instance of `a` is one of `b`. Tries no
   * values, so it compiles nothing. Throws nothing.
   */
  isProven(a: Subject, b: Subject, share: number): boolean {
    return guarded(() => new Question(this, a, b, share).proof()).verdict === 'contained'
  }

  /** AJV's own verdict for values of a subject, or why it refuses the schema. */
  accepts({ site, document }: Subject): Accepts | string {
    const byDocument = this.#accepts.get(site.schema) ?? new Map<Json, Accepts | string>()
    this.#accepts.set(site.schema, byDocument)
    const known = byDocument.get(document)
    if (known !== undefined) return known
    const compiled = this.judge.compile(site.schema, document)
    byDocument.set(document, compiled)
    return compiled
  }

  /** Formulas, readers and solver, with a fresh budget or a share of one. */
  engine(share = 1): Engine & { readonly budget: Budget } {
    const budget = new Budget(steps * share, share * (this.#options.budgetMs ?? 1000))
    if (this.#engine === undefined) {
      const formulas = new Formulas()
      const reader = (reading: Reading): SchemaReader =>
        new SchemaReader(formulas, this.#options.dialect, reading, this.#options.formats)
      const readers = { ajv: reader('ajv'), specification: reader('specification') }
      this.#engine = {
        formulas,
        readers,
        solver: new Solver(formulas, budget, this.#options.arithmetic),
      }
    } else this.#engine.solver.renew(budget)
    return { ...this.#engine, budget }
  }
}

const steps = 60_000
