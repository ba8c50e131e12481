import { childPointer, objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { type Discrimination, discriminationOf } from '../../schema/discriminator.js'
import { isSchema, type Schema } from '../../schema/schema.js'
import { asObject, referenced, type Side } from '../change/side.js'

/** How validators select a branch of a schema by its discriminator. Undefined if they do not. */
export function discriminationBy(side: Side, schema: JsonObject): Discrimination | undefined {
  const discriminator = own(schema, 'discriminator')
  if (!isObject(discriminator)) return undefined
  const known = discriminations.get(side) ?? new WeakMap<JsonObject, Found>()
  discriminations.set(side, known)
  const found = known.get(schema) ?? { discrimination: readBy(side, schema, discriminator) }
  known.set(schema, found)
  return found.discrimination
}

interface Found {
  readonly discrimination: Discrimination | undefined
}

const discriminations = new WeakMap<Side, WeakMap<JsonObject, Found>>()

function readBy(side: Side, schema: JsonObject, discriminator: JsonObject): Discrimination | undefined {
  const [mapping, fallback] = [own(discriminator, 'mapping'), own(discriminator, 'defaultMapping')]
  const entries = Object.entries(asObject(mapping))
  const read = {
    ...discriminator,
    mapping: objectOf(entries.map(([value, target]) => [value, targetOf(side, target)] as const)),
    ...(fallback !== undefined && { defaultMapping: targetOf(side, fallback) }),
  }
  return discriminationOf(schemasOf(side), { ...schema, discriminator: read })
}

/** The values that select each branch, as a text to compare. Empty if no discriminator selects branches. */
export function routing(side: Side, schema: JsonObject): string {
  const found = discriminationBy(side, schema)
  if (found === undefined) return ''
  const { property, branches, absent, other } = found
  return JSON.stringify([property, branches.map(({ values }) => values), absent, other])
}

/**
 * The values that a discriminator's mapping leads to another branch than the one that has the value itself.
 * Validators select that branch, because a discriminator changes no validation (OpenAPI 3.1.1 section 4.8.25).
 */
export function crossedValues(side: Side, schema: JsonObject): ReadonlySet<Json> {
  const { branches = [] } = discriminationBy(side, schema) ?? {}
  const entries = Object.entries(asObject(own(asObject(own(schema, 'discriminator')), 'mapping')))
  const known = branches.map(({ schema, values }) => ({
    pointer: referenced(side, own(asObject(schema), '$ref'))?.pointer,
    values,
  }))
  const crossed = entries.filter(([value, target]) => {
    const named = known.find(({ pointer }) => pointer === targetOf(side, target))
    return named !== undefined && known.some((one) => one !== named && one.values.includes(value))
  })
  return new Set(crossed.map(([value]) => value))
}

/** A mapping names a component or refers to it (OpenAPI 3.2, Discriminator Object). */
export function targetOf(side: Side, target: Json): Json {
  if (typeof target !== 'string') return target
  return referenced(side, target)?.pointer ?? childPointer('#/components/schemas', target)
}

/** The components of a document, by name. */
export function schemasOf({ document, model }: Side): ReadonlyMap<string, Schema> {
  if (model !== undefined) return model.schemas
  const known = schemas.get(document)
  if (known !== undefined) return known
  const components = asObject(own(document.root, 'components'))
  const found = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(asObject(own(components, 'schemas'))))
    if (isSchema(schema)) found.set(name, schema)
  schemas.set(document, found)
  return found
}

const schemas = new WeakMap<object, ReadonlyMap<string, Schema>>()
