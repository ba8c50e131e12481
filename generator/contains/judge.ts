import { createRequire } from 'node:module'
import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import AjvDraft04 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import type { Dialect } from './dialect.js'
import { holding } from './keyword.js'
import { isObject, type Json, objectOf } from './value.js'

/** Says whether a schema accepts a value. Throws where validation itself fails, such as on endless recursion. */
export type Accepts = (value: Json) => boolean

/** Who has the last word on values; AJV unless a caller has validators of its own. */
export interface Referee {
  compile(schema: Json, document?: Json): Accepts | string
  external(uri: string): Json | undefined
}

/** AJV for one dialect: the referee of every witness. */
export class Judge implements Referee {
  #ajv: Ajv | undefined
  #compiled = 0
  readonly #documents = new Map<object, string>()

  constructor(readonly dialect: Dialect) {}

  /**
   * Compiles a schema that stands alone, or one whose references lead into a document.
   *
   * Returns the reason as text where AJV refuses.
   */
  compile(schema: Json, document?: Json): Accepts | string {
    if (hasKey(schema, '$async')) return '$async schemas are not decided'
    try {
      const validate =
        document === undefined || document === schema ? this.#alone(schema) : this.#within(schema, document)
      return (value) => validate(value) === true
    } catch (error) {
      return `AJV does not take the schema: ${messageOf(error)}`
    }
  }

  /** A schema that AJV knows by its address: the meta-schemas. */
  external(uri: string): Json | undefined {
    try {
      const schema: unknown = this.#shared().getSchema(uri)?.schema
      return isObject(schema) ? schema : undefined
    } catch {
      return undefined
    }
  }

  #alone(schema: Json): ValidateFunction {
    const given = asSchema(schema)
    // Addresses within a schema stay in an instance for good, so a schema with any gets its own.
    if (hasKey(schema, '$id') || hasKey(schema, 'id')) return instance(this.dialect).compile(given)
    const ajv = this.#shared()
    const validate = ajv.compile(given)
    if (typeof given === 'object') ajv.removeSchema(given)
    return validate
  }

  #within(schema: Json, document: Json): ValidateFunction {
    const ajv = this.#shared(true)
    const home = asSchema(document)
    if (typeof home === 'boolean') return ajv.compile(asSchema(schema))
    let uri = this.#documents.get(home)
    if (uri === undefined) {
      uri = `duet:/document-${this.#documents.size}`
      this.#documents.set(home, uri)
      ajv.addSchema(home, uri, false, false)
    }
    const references = new Set<string>()
    const moved = rebased(schema, uri, references)
    // Asked for by address a schema is compiled within its document, once for everyone who refers to it.
    for (const reference of references) ajv.getSchema(reference)
    return ajv.compile(asSchema(moved))
  }

  /** Compiled schemas leave traces in an instance, so it is renewed once in a while unless it holds documents. */
  #shared(keep = false): Ajv {
    this.#compiled += 1
    if (this.#compiled % 400 === 0 && this.#documents.size === 0 && !keep) this.#ajv = undefined
    this.#ajv ??= instance(this.dialect)
    return this.#ajv
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.length > 300 ? `${message.slice(0, 300)}…` : message
}

const options = { strict: false, logger: false, inlineRefs: false } as const

function instance(dialect: Dialect): Ajv {
  const ajv = bare(dialect)
  addFormats.default(ajv)
  return ajv
}

function bare(dialect: Dialect): Ajv {
  switch (dialect) {
    case 'draft4':
      return new AjvDraft04.default(options)
    case 'draft6': {
      const ajv = new Ajv(options)
      ajv.addMetaSchema(createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json'))
      return ajv
    }
    case 'draft7':
      return new Ajv(options)
    case '2019-09':
      return new Ajv2019(options)
    case '2020-12':
      return new Ajv2020(options)
  }
}

function asSchema(value: Json): AnySchema {
  if (typeof value === 'boolean' || isObject(value)) return value
  throw new TypeError('a schema must be an object or a boolean')
}

function hasKey(value: Json, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, key))
  if (!isObject(value)) return false
  return Object.hasOwn(value, key) || Object.values(value).some((item) => hasKey(item, key))
}

/** A copy whose references into its own document name that document; they are added to `references`. */
function rebased(schema: Json, uri: string, references: Set<string>): Json {
  if (!isObject(schema)) return schema
  const each = (part: Json): Json =>
    Array.isArray(part) ? part.map((one) => rebased(one, uri, references)) : rebased(part, uri, references)
  return objectOf(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) {
        references.add(uri + value)
        return [key, uri + value]
      }
      const holds = holding(key)
      if (holds === undefined) return [key, value]
      if (!holds.startsWith('map') || !isObject(value)) return [key, each(value)]
      return [key, objectOf(Object.entries(value).map(([name, part]) => [name, each(part)] as const))]
    }),
  )
}
