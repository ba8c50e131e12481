import type { Dialect } from '../../document/vocabulary.js'
import type { Formula } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import { isObject, type Json } from '../values/value.js'
import { isAsserted } from '../words/format.js'
import { type Formats, isModern, knows, type Reading } from './dialect.js'
import { child, type Site } from './site.js'

/** What keywords ask of the reader of all schemas. */
export interface Reader {
  readonly formulas: Formulas
  readonly dialect: Dialect
  readonly reading: Reading
  readonly formats: Formats
  /** The formula of a schema. */
  read(site: Site): Formula
  /** A reference to a schema, read when first needed. */
  refer(site: Site): Formula
  /** Notes what is peculiar in the schema that is being read. */
  note(peculiarity: Peculiarity): void
  /** Whether something is peculiar in a schema that was read, or inline in it. */
  has(site: Site, peculiarity: Peculiarity): boolean
}

/** One schema object while it is read. */
export class Subschema {
  constructor(
    readonly reader: Reader,
    readonly site: Site,
    readonly schema: { readonly [key: string]: Json },
  ) {}

  get formulas(): Formulas {
    return this.reader.formulas
  }

  /** Whether a keyword is there and means something. */
  has(keyword: string): boolean {
    const { dialect, reading } = this.reader
    if (!Object.hasOwn(this.schema, keyword) || this.schema[keyword] === undefined) return false
    const known = knows(dialect, reading, keyword)
    if (known !== knows(dialect, reading === 'ajv' ? 'specification' : 'ajv', keyword))
      this.reader.note('reading')
    return known
  }

  get(keyword: string): Json | undefined {
    return this.has(keyword) ? this.schema[keyword] : undefined
  }

  /** The format, where it asserts something. */
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

  /** The formula of a sub-schema. */
  read(schema: Json): Formula {
    return this.reader.read(child(this.site, schema))
  }

  /** The formula of a sub-schema that AJV applies to one member after another. */
  readEach(schema: Json): Formula {
    const site = child(this.site, schema)
    const formula = this.reader.read(site)
    if (isObject(schema)) this.reader.note('loop')
    if (this.reader.has(site, 'lasting')) this.reader.note('repeated')
    return formula
  }

  /** A keyword's schemas in a list; none where it is absent. */
  list(keyword: string): readonly Json[] {
    const value = this.get(keyword)
    return Array.isArray(value) ? value : []
  }

  /** A keyword's members by name; none where it is absent. */
  map(keyword: string): readonly (readonly [string, Json])[] {
    const value = this.get(keyword)
    return isObject(value) ? Object.entries(value) : []
  }
}

/**
 * A point where AJV and the specification differ in ways that formulas do not show.
 *
 * reading: a keyword that the two readings take differently. inherited: a property name that every JavaScript object
 * inherits. dynamic: a dynamic reference that AJV takes for another or with less beside it. unevaluated: annotations that AJV collects in
 * its own way. decimal: a fractional multipleOf. content: what a text holds, which draft 7 lets validators check. lasting: a keyword of which AJV keeps the result of the array before,
 * where an array is too short to set it; loop: schemas for one member after another; repeated: both together.
 */
export type Peculiarity =
  | 'reading'
  | 'inherited'
  | 'dynamic'
  | 'unevaluated'
  | 'nested'
  | 'decimal'
  | 'content'
  | 'lasting'
  | 'loop'
  | 'repeated'
