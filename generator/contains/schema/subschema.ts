import type { Dialect } from '../../document/vocabulary.js'
import type { Formula } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import { isObject, type Json } from '../values/value.js'
import { isAsserted } from '../words/format.js'
import { type Formats, isModern, knows, type Reading } from './dialect.js'
import { limiting } from './keyword.js'
import { child, type Site } from './site.js'

/** The methods of the schema reader that keywords use. */
export interface Reader {
  readonly formulas: Formulas
  readonly dialect: Dialect
  readonly reading: Reading
  readonly formats: Formats
  /** The formula of a schema. */
  read(site: Site): Formula
  /** A reference to a schema, read on demand. */
  refer(site: Site): Formula
  /** Records a peculiarity of the schema that is being read. */
  note(peculiarity: Peculiarity): void
  /** Whether a schema that was read, or one inlined in it, has a peculiarity. */
  has(site: Site, peculiarity: Peculiarity): boolean
}

/** One schema object while it is being read. */
export class Subschema {
  /** The keywords that have been asked for and are present. */
  readonly #read = new Set<string>()

  constructor(
    readonly reader: Reader,
    readonly site: Site,
    readonly schema: { readonly [key: string]: Json },
  ) {}

  get formulas(): Formulas {
    return this.reader.formulas
  }

  /** Whether a keyword is present and has a meaning. */
  has(keyword: string): boolean {
    const { dialect, reading } = this.reader
    if (!Object.hasOwn(this.schema, keyword) || this.schema[keyword] === undefined) return false
    this.#read.add(keyword)
    const known = knows(dialect, reading, keyword)
    if (known !== knows(dialect, reading === 'ajv' ? 'specification' : 'ajv', keyword))
      this.reader.note('reading')
    return known
  }

  /** A keyword that limits values and that nothing has asked for. */
  unread(): string | undefined {
    return Object.keys(this.schema).find((key) => limiting.has(key) && !this.#read.has(key))
  }

  get(keyword: string): Json | undefined {
    return this.has(keyword) ? this.schema[keyword] : undefined
  }

  /** The format, if it is asserted. */
  format(): string | undefined {
    const { dialect, formats, reading } = this.reader
    const format = this.get('format')
    if (typeof format !== 'string' || !isAsserted(format)) return undefined
    if (formats === 'asserted' || !isModern(dialect)) return format
    this.reader.note('reading')
    return reading === 'ajv' ? format : undefined
  }

  number(keyword: string): number | undefined {
    const value = this.get(keyword)
    return typeof value === 'number' ? value : undefined
  }

  /** The formula of a subschema. */
  read(schema: Json): Formula {
    return this.reader.read(child(this.site, schema))
  }

  /** The formula of a subschema that AJV applies to each member. */
  readEach(schema: Json): Formula {
    const site = child(this.site, schema)
    const formula = this.reader.read(site)
    if (isObject(schema)) this.reader.note('loop')
    if (this.reader.has(site, 'lasting')) this.reader.note('repeated')
    return formula
  }

  /** The schemas of a keyword with a list. Empty if it is absent. */
  list(keyword: string): readonly Json[] {
    const value = this.get(keyword)
    return Array.isArray(value) ? value : []
  }

  /** The members of a keyword, by name. Empty if it is absent. */
  map(keyword: string): readonly (readonly [string, Json])[] {
    const value = this.get(keyword)
    return isObject(value) ? Object.entries(value) : []
  }
}

/**
 * A difference between AJV and the specification that formulas do not show.
 *
 * reading: a keyword that the two readings interpret differently. dynamic: a dynamic reference that AJV resolves
 * differently, or whose siblings it ignores. unevaluated: evaluated items, which AJV counts differently. decimal: a fractional multipleOf.
 * content: the content of a text, which draft 7 allows validators to check. lasting: a keyword for which AJV
 * reuses the result of the previous array if an array is too short to set it; loop: schemas for one member
 * after another; repeated: both together.
 */
export type Peculiarity =
  | 'reading'
  | 'dynamic'
  | 'unevaluated'
  | 'nested'
  | 'decimal'
  | 'content'
  | 'lasting'
  | 'loop'
  | 'repeated'
