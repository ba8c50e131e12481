import { createRequire } from 'node:module'
import type * as ajvPackage from 'ajv'
import type { Ajv, AnySchema, Options, ValidateFunction } from 'ajv'
import type * as ajv2019 from 'ajv/dist/2019.js'
import type * as ajv2020 from 'ajv/dist/2020.js'
import type * as ajvDraft04 from 'ajv-draft-04'
import type * as ajvFormats from 'ajv-formats'
import { isMultipleOf } from 'duet-runtime/validation'
import { type Dialect, unknownKeywords } from '../document/vocabulary.js'
import { regExp } from '../patterns/pattern-test.js'
import { countMembersApart } from '../schema/evaluation.js'
import { exactForm } from './exact-form.js'
import { isLazy, LazyLibrary, withReferences } from './lazy-library.js'
import { type Arithmetic, knows } from './schema/dialect.js'
import { isObject, type Json } from './values/value.js'

/** Whether a schema accepts a value. Throws if validation itself fails, such as by endless recursion. */
export type Accepts = (value: Json) => boolean

/** Decides whether a schema accepts a value: AJV, unless a caller has validators of its own. */
export interface Referee {
  compile(schema: Json, document?: Json): Accepts | string
  external(uri: string): Json | undefined
}

/** AJV for one dialect. Confirms every witness. */
export class Judge implements Referee {
  /** For schemas that are their own document. */
  #ajv: Ajv | undefined
  /** For schemas within documents. */
  #library: Ajv | undefined
  #compiled = 0
  /** Standalone schemas by their text, the most recently used last. */
  readonly #remembered = new Map<string, ValidateFunction>()
  readonly #documents = new Map<object, string>()
  readonly #lazy = new Map<object, LazyLibrary>()

  /** @param isChecked see `ContainmentOptions` */
  constructor(
    readonly dialect: Dialect,
    readonly arithmetic: Arithmetic = 'doubles',
    readonly isChecked: boolean = false,
  ) {}

  #instance(inlineRefs: boolean): Ajv {
    const isNeeded = !this.isChecked
    return instance(this.dialect, this.arithmetic, { inlineRefs, meta: isNeeded, validateSchema: isNeeded })
  }

  /**
   * Compiles a standalone schema, or one with references into a document.
   *
   * Returns the reason as text if AJV refuses.
   */
  compile(schema: Json, document?: Json): Accepts | string {
    try {
      if (holds(schema, '$async', (value) => value === true)) return '$async schemas are not decided'
      if (holds(schema, 'enum', (value) => Array.isArray(value) && value.length > longestEnum))
        return `an enum lists more than ${longestEnum} values`
      const exact = exactForm(schema, document ?? schema, this.dialect)
      const validate =
        document === undefined || document === schema
          ? this.#alone(exact.schema)
          : this.#within(exact.schema, exact.document)
      return (value) => validate(value) === true
    } catch (error) {
      return `AJV refuses the schema: ${messageOf(error)}`
    }
  }

  /** A schema that AJV knows by its address, such as a meta-schema. */
  external(uri: string): Json | undefined {
    try {
      const { dialect, arithmetic } = this
      if (this.isChecked) return judgeOf(dialect, arithmetic).external(uri)
      const schema: unknown = this.#shared().getSchema(uri)?.schema
      return isObject(schema) ? schema : undefined
    } catch {
      return undefined
    }
  }

  /** The same text may occur again, as a schema and as its own document. */
  #alone(schema: Json): ValidateFunction {
    const text = JSON.stringify(schema)
    const known = this.#remembered.get(text)
    const heeded = text.includes('"__proto__"') ? withReferences(schema) : schema
    const validate = known ?? this.#compileAlone(heeded)
    this.#remembered.delete(text)
    this.#remembered.set(text, validate)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > remembered && oldest !== undefined) this.#remembered.delete(oldest)
    return validate
  }

  #compileAlone(schema: Json): ValidateFunction {
    const given = asSchema(schema)
    // Addresses within a schema stay in an instance for good, so a schema with addresses gets its own
    // instance.
    const keyword = this.dialect === 'draft4' ? 'id' : '$id'
    if (holds(schema, keyword, (value) => typeof value === 'string'))
      return this.#instance(true).compile(given)
    const ajv = this.#shared()
    try {
      return ajv.compile(given)
    } finally {
      // AJV accepts a schema that it knows, even if it refused it before.
      if (typeof given === 'object') ajv.removeSchema(given)
    }
  }

  #within(schema: Json, document: Json): ValidateFunction {
    const root = asSchema(document)
    if (typeof root === 'boolean') return this.#alone(schema)
    if (this.dialect !== 'draft4' && isLazy(schema, document)) {
      const library = this.#lazy.get(root) ?? new LazyLibrary(this.#instance(true), root)
      this.#lazy.set(root, library)
      return library.compile(schema)
    }
    this.#library ??= this.#instance(false)
    const ajv = this.#library
    let uri = this.#documents.get(root)
    if (uri === undefined) {
      uri = `duet:/document-${this.#documents.size}`
      this.#documents.set(root, uri)
      ajv.addSchema(root, uri, false, false)
    }
    const references = new Set<string>()
    const moved = rebased(schema, uri, references)
    // Requested by its address, a schema is compiled within its document, once for all references to it.
    for (const reference of references) ajv.getSchema(reference)
    return ajv.compile(asSchema(moved))
  }

  /** Compiled schemas leave traces in an instance, so it is renewed from time to time. */
  #shared(): Ajv {
    this.#compiled += 1
    if (this.#compiled % 400 === 0) this.#ajv = undefined
    this.#ajv ??= this.#instance(true)
    return this.#ajv
  }
}

/** The judge of a dialect and an arithmetic, shared by all questions. */
export function judgeOf(dialect: Dialect, arithmetic: Arithmetic = 'doubles'): Judge {
  const key = `${dialect} ${arithmetic}`
  const known = judges.get(key)
  if (known !== undefined) return known
  const judge = new Judge(dialect, arithmetic)
  judges.set(key, judge)
  return judge
}

const judges = new Map<string, Judge>()

const remembered = 64

/** Limit for enums: AJV compares their values pair by pair. */
const longestEnum = 5000

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.length > 300 ? `${message.slice(0, 300)}…` : message
}

/**
 * Compiles AJV's generated code without optimizing it: optimizing takes longer than validating a few values.
 *
 * @param options `inlineRefs`: AJV's default; without it, a document with many references takes half the time
 */
function instance(dialect: Dialect, arithmetic: Arithmetic, options: Options): Ajv {
  const ajv = bare(dialect, {
    ...options,
    strict: false,
    logger: false,
    // Otherwise every object counts as one with a member `constructor`.
    ownProperties: true,
    code: { regExp, optimize: false },
  })
  const { default: addFormats }: typeof ajvFormats = require('ajv-formats')
  addFormats.default(ajv)
  const { Name }: typeof ajvPackage = require('ajv')
  countMembersApart(ajv, Name)
  const lacks = (name: string): boolean => knows(dialect, 'ajv', name) && ajv.getKeyword(name) === false
  for (const { name } of unknownKeywords((keyword) => !lacks(keyword)))
    ajv.addKeyword({
      keyword: name,
      code() {
        throw new Error(`the keyword ${name} is unknown`)
      },
    })
  if (arithmetic === 'decimals') {
    ajv.removeKeyword('multipleOf')
    ajv.addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      schemaType: 'number',
      errors: false,
      validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    })
  }
  return ajv
}

function bare(dialect: Dialect, options: Options): Ajv {
  switch (dialect) {
    case 'draft4': {
      const { default: AjvDraft04 }: typeof ajvDraft04 = require('ajv-draft-04')
      return new AjvDraft04.default(options)
    }
    case 'draft6': {
      const ajv = draft7(options)
      ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
      return ajv
    }
    case 'draft7':
      return draft7(options)
    case '2019-09': {
      const { Ajv2019 }: typeof ajv2019 = require('ajv/dist/2019.js')
      return new Ajv2019(options)
    }
    case '2020-12': {
      const { Ajv2020 }: typeof ajv2020 = require('ajv/dist/2020.js')
      return new Ajv2020(options)
    }
  }
}

function draft7(options: Options): Ajv {
  const { Ajv }: typeof ajvPackage = require('ajv')
  return new Ajv(options)
}

/** AJV consists of a hundred files, and most reviews never need it. It is loaded for the first schema. */
const require = createRequire(import.meta.url)

function asSchema(value: Json): AnySchema {
  if (typeof value === 'boolean' || isObject(value)) return value
  throw new TypeError('a schema must be an object or a boolean')
}

/** Whether any object in a schema has this keyword with a matching value. */
function holds(value: Json, keyword: string, test: (value: Json | undefined) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, keyword, test))
  if (!isObject(value)) return false
  if (Object.hasOwn(value, keyword) && test(value[keyword])) return true
  return Object.values(value).some((item) => holds(item, keyword, test))
}

/** A copy with absolute references into its own document. Adds these to `references`. */
function rebased(schema: Json, uri: string, references: Set<string>): Json {
  return withReferences(schema, (reference) => {
    references.add(uri + reference)
    return ['$ref', uri + reference]
  })
}
