import type { Validator } from 'duet-runtime'
import type { VersionReading } from '../../adapt/version-reading.js'
import { Containment } from '../../contains/containment.js'
import type { Subject } from '../../contains/question.js'
import { objectOf, picked } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { clone, isArray, isObject, own } from '../../document/json.js'
import { keywordsThat } from '../../document/vocabulary.js'
import type { Operation } from '../../model/model.js'
import { requiredOf } from '../../schema/schema.js'
import { pathText, type SchemaSite, sitesOf, valueIn, withoutMember, withValue } from '../schema-site.js'
import type { Case } from './case.js'

/**
 * Calls that a document forbids. Each breaks one keyword at one place: its value is one that the schema without the keyword
 * accepts and the schema itself refuses.
 */
export class InvalidCases {
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals', isChecked: true })

  constructor(readonly reading: VersionReading) {}

  /**
   * @param bases valid params. A case differs from the first of them that has its place
   * @param accepts the validator of the operation's params, which refuses every case
   */
  of({ params, rest }: Operation, bases: readonly JsonObject[], accepts: Validator): Case[] {
    const inPath = new Set(
      rest.parameters.flatMap(({ in: where, param }) => (where === 'path' ? [param] : [])),
    )
    const found: Case[] = []
    const add = (
      broken: Json | undefined,
      way: readonly string[],
      keyword: string,
      what: string,
    ): boolean => {
      if (broken === undefined || !isObject(broken) || accepts(clone(broken))) return false
      if (JSON.stringify(broken).length > mostLength) return false
      found.push({ kind: 'invalid', params: broken, way, keyword, what })
      return true
    }
    // Without an object as body, it is only our schema of params that is closed. Many servers ignore unknown parameters.
    const isOfDocument = rest.body?.kind === 'fields'
    for (const site of sitesOf(this.reading, params, true)) {
      const { way, schema } = site
      for (const name of requiredOf(schema)) {
        const missing = [...way, name]
        if (missing.length === 1 && inPath.has(name)) continue
        bases.some((base) =>
          add(
            withoutMember(base, missing),
            missing,
            'required',
            `without ${pathText(missing)}, which is required`,
          ),
        )
      }
      if (way.length === 0 && !isOfDocument) continue
      const subject = way.length === 0 ? 'params' : pathText(way)
      for (const { keyword, value, isBroken } of this.#refused(site)) {
        const what = `with ${subject} ${textOf(keyword, own(schema, keyword) ?? own(site.source, keyword))}`
        const isAdded = (base: JsonObject): boolean => {
          const known = valueIn(base, way)
          const kept = way.length === 0 ? picked(base, (name) => inPath.has(name)) : {}
          return mixtures(known, value, kept).some(
            (one) => isBroken(one) && add(withValue(base, way, one), way, keyword, what),
          )
        }
        bases.some(isAdded)
      }
    }
    return found
  }

  /** Values that break one keyword of a schema. */
  *#refused({ way, schema, source }: SchemaSite): Generator<Refused> {
    const types = [own(schema, 'type') ?? []].flat()
    if (types.length > 0 && way.length > 0) {
      const other = strangers.find(
        ({ type }) => !types.includes(type) && !(type === 'string' && types.length > 1),
      )
      if (other !== undefined) yield { keyword: 'type', value: other.value, isBroken: () => true }
    }
    for (const keyword of Object.keys(schema)) {
      if (!asserting.has(keyword)) continue
      const { [keyword]: _, ...without } = schema
      yield* this.#between(keyword, without, schema)
    }
    const { oneOf, anyOf, discriminator: _, ...rest } = source
    if (oneOf !== undefined) {
      yield* this.#between('oneOf', { ...rest, ...(anyOf !== undefined && { anyOf }) }, source)
      yield* this.#between('oneOf', { ...rest, anyOf: oneOf }, source)
    }
    if (anyOf !== undefined)
      yield* this.#between('anyOf', { ...rest, ...(oneOf !== undefined && { oneOf }) }, source)
    if (Object.hasOwn(source, 'if')) {
      const { if: _, then: _then, else: _else, ...without } = source
      yield* this.#between('if', without, source)
    }
  }

  /** Values that one schema accepts and another one refuses. */
  *#between(keyword: string, wide: JsonObject, narrow: JsonObject): Generator<Refused> {
    const { document } = this.reading
    const subjectOf = (schema: JsonObject): Subject =>
      this.#containment.subject(document, this.reading.of(schema))
    const [before, after] = [subjectOf(wide), subjectOf(narrow)]
    const verdict = this.#containment.decide(before, after)
    if (verdict.verdict !== 'not-contained') return
    const [takes, refuses] = [before, after].map((one) => this.#containment.accepts(one))
    const isBroken = (value: Json): boolean =>
      (typeof takes !== 'function' || takes(clone(value))) &&
      (typeof refuses !== 'function' || !refuses(clone(value)))
    yield { keyword, value: verdict.witness, isBroken }
  }
}

interface Refused {
  readonly keyword: string
  readonly value: Json
  /** Whether a value breaks the keyword and nothing else. */
  readonly isBroken: (value: Json) => boolean
}

/**
 * A value that breaks a keyword, mixed with a valid one, the most of that first: a call that differs little is likelier to be
 * refused for this reason alone.
 */
function mixtures(known: Json | undefined, value: Json, kept: JsonObject): Json[] {
  // Many servers read null and an empty text as an absent value.
  const others = strangers.map((one) => withoutEmpty(value, one.value))
  const values = isEmpty(value, null) ? others : isEmpty(value, '') ? [...others, value] : [value]
  return values.flatMap((broken): Json[] => {
    if (!isObject(broken)) return [broken]
    const whole = objectOf([...Object.entries(broken), ...Object.entries(kept)])
    if (known === undefined || !isObject(known)) return [whole]
    const merged = (...parts: JsonObject[]) => objectOf(parts.flatMap((part) => Object.entries(part)))
    return [merged(broken, known), merged(known, broken, kept), whole]
  })
}

function isEmpty(value: Json, empty: null | ''): boolean {
  if (isArray(value)) return value.some((one) => isEmpty(one, empty))
  return isObject(value) ? Object.values(value).some((one) => isEmpty(one, empty)) : value === empty
}

function withoutEmpty(value: Json, other: Json): Json {
  if (value === null || value === '') return other
  if (isArray(value)) return value.map((one) => withoutEmpty(one, other))
  if (!isObject(value)) return value
  return objectOf(
    Object.entries(value).map(([name, one]): [string, Json] => [name, withoutEmpty(one, other)]),
  )
}

/** Characters of the params of one case. */
const mostLength = 20_000

/**
 * Keywords that a case may break. Others have cases of their own: members that are missing, values of another type, members of
 * alternatives. A format is an annotation (JSON Schema Validation 2020-12, section 7).
 */
const asserting = keywordsThat(
  ({ name, role, isDependent }) =>
    isDependent !== true &&
    (role === 'assertion' || role === 'child' || name === 'not' || name === 'dependentSchemas') &&
    !['type', 'required', 'format', 'properties', 'nullable'].includes(name),
)

/** Values of a type that no reader takes for another one: `"duet"` is neither a number nor a truth value. */
const strangers: readonly { readonly type: string; readonly value: Json }[] = [
  { type: 'string', value: 'duet' },
  { type: 'object', value: { duet: 'duet' } },
]

function textOf(keyword: string, value: Json | undefined): string {
  const shown = JSON.stringify(value) ?? ''
  const short = shown.length > 60 ? `${shown.slice(0, 57)}...` : shown
  if (keyword === 'type') return `of another type than ${isArray(value ?? null) ? short : String(value)}`
  return `against ${keyword} ${short}`
}
