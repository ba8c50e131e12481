import type { Validator } from 'duet-runtime'
import type { VersionReading } from '../adapt/version-reading.js'
import { Containment } from '../contains/containment.js'
import type { Json, JsonObject } from '../document/document.js'
import { clone, isArray, isObject, own } from '../document/json.js'
import type { Operation } from '../model/model.js'
import type { Case } from './case.js'
import { pathText, requiredNames, type SchemaSite, sitesOf, withoutMember, withValue } from './schema-site.js'

/**
 * Calls that a document forbids. Each breaks one keyword at one place: its value is one that the schema without the keyword
 * accepts and the schema itself refuses.
 */
export class InvalidCases {
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals' })

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
    for (const site of sitesOf(this.reading, params)) {
      const { way, schema } = site
      for (const name of requiredNames(schema)) {
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
      if (way.length === 0) continue
      for (const [keyword, value] of this.#refused(site))
        bases.some((base) =>
          add(
            withValue(base, way, value),
            way,
            keyword,
            `with ${pathText(way)} ${textOf(keyword, own(schema, keyword))}`,
          ),
        )
    }
    return found
  }

  /** Values that break one keyword of a schema, by the keyword. */
  *#refused({ schema }: SchemaSite): Generator<readonly [string, Json]> {
    const types = [own(schema, 'type') ?? []].flat()
    if (types.length > 0) {
      const other = strangers.find(
        ({ type }) => !types.includes(type) && !(type === 'string' && types.length > 1),
      )
      if (other !== undefined) yield ['type', other.value]
    }
    for (const keyword of asserted) {
      if (!Object.hasOwn(schema, keyword)) continue
      const { [keyword]: _, ...without } = schema
      const document = this.reading.document
      const [wide, narrow] = [without, schema].map((one) =>
        this.#containment.subject(document, this.reading.of(one)),
      )
      if (wide === undefined || narrow === undefined) continue
      const verdict = this.#containment.decide(wide, narrow)
      // Many servers read null as an absent value.
      if (verdict.verdict === 'not-contained' && verdict.witness !== null) yield [keyword, verdict.witness]
    }
  }
}

/** Characters of the params of one case. */
const mostLength = 20_000

/** Keywords that a case may break. A format is an annotation (JSON Schema Validation 2020-12, section 7). */
const asserted = [
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'items',
  'additionalProperties',
] as const

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
