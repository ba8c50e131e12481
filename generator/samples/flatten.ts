import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { choices, compositions, groupOf, sampleKeywords } from '../document/vocabulary.js'
import { isAnnotation, isSchema, referenceOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import { intersect } from './intersect.js'
import { answerOf, type Steps } from './steps.js'

export interface Flattening {
  readonly schemas: ReadonlyMap<string, Schema>
  /** Chooses one of several alternatives. */
  readonly choose: (alternatives: readonly Schema[]) => Schema | undefined
}

/**
 * A schema without references and compositions: merges its references and all of `allOf`, and one alternative
 * of each `anyOf`, `oneOf` and `if`. Keeps an `example` or `default` only if it is the schema's own, or that
 * of the only schema that it refers to.
 */
export function flatten(schema: Schema, flattening: Flattening): Schema {
  return new Flattener(flattening).flatten(schema)
}

class Flattener {
  /** Components that are already merged. A circular or repeated one adds nothing. */
  readonly #merged = new Set<string>()

  constructor(readonly flattening: Flattening) {}

  flatten(schema: Schema): Schema {
    return answerOf(schema, (part) => this.#flattened(part))
  }

  *#flattened(schema: Schema): Steps<Schema, Schema> {
    if (!isObject(schema)) return schema
    const parts = yield* this.#parts(schema)
    const bare = objectOf(Object.entries(schema).filter(([keyword]) => !merging.has(keyword)))
    const merged = parts.map((part) => without(part, sampleKeywords)).reduce(intersect, bare)
    const [only] = parts
    const isBare = Object.keys(bare).every((keyword) => isAnnotation(keyword))
    const hasOwn = [...sampleKeywords].some((keyword) => Object.hasOwn(schema, keyword))
    if (parts.length !== 1 || hasOwn || !isBare || !isObject(only) || !isObject(merged)) return merged
    const examples = Object.entries(only).filter(([keyword]) => sampleKeywords.has(keyword))
    return objectOf([...Object.entries(merged), ...examples])
  }

  *#parts(schema: JsonObject): Steps<Schema, Schema, Schema[]> {
    const parts: Schema[] = []
    const name = referenceOf(schema)
    const target = name === undefined ? undefined : this.flattening.schemas.get(name)
    if (name !== undefined && target !== undefined && !this.#merged.has(name)) {
      this.#merged.add(name)
      parts.push(yield target)
    }
    for (const part of schemaList(schema, 'allOf')) parts.push(yield part)
    for (const keyword of choices) {
      const branches = schemaList(schema, keyword)
      if (branches.length === 0) continue
      const chosen = this.flattening.choose(branches)
      if (chosen === undefined) continue
      const branch = yield chosen
      parts.push(branch, discriminated(schema, chosen, branch))
    }
    const conditions = groupOf('if').map((keyword) => own(schema, keyword))
    const [condition, met = true, unmet = true] = conditions.map((value) =>
      isSchema(value) ? value : undefined,
    )
    if (condition !== undefined) {
      const chosen = this.flattening.choose([{ allOf: [condition, met] }, unmet])
      if (chosen !== undefined) parts.push(yield chosen)
    }
    return parts.filter((part) => part !== true)
  }
}

/** The discriminator's value for the chosen branch, if the branch itself has none. */
function discriminated(schema: JsonObject, chosen: Schema, branch: Schema): Schema {
  const discriminator = own(schema, 'discriminator')
  const property = isObject(discriminator) ? own(discriminator, 'propertyName') : undefined
  const name = referenceOf(chosen)
  if (!isObject(discriminator) || typeof property !== 'string' || name === undefined) return true
  const declared = isObject(branch) ? new Map(schemaMap(branch, 'properties')).get(property) : undefined
  if (isObject(declared) && (Object.hasOwn(declared, 'const') || Object.hasOwn(declared, 'enum'))) return true
  const mapping = own(discriminator, 'mapping')
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).find(
    ([, target]) => typeof target === 'string' && referenceOf({ $ref: target }) === name,
  )
  return { properties: objectOf([[property, { const: mapped?.[0] ?? name }]]), required: [property] }
}

function without(schema: Schema, keywords: ReadonlySet<string>): Schema {
  if (!isObject(schema)) return schema
  return objectOf(Object.entries(schema).filter(([keyword]): boolean => !keywords.has(keyword)))
}

const merging = new Set<string>(['$ref', ...compositions, 'discriminator', ...groupOf('if')])
