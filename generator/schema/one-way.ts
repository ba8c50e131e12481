import type { CodeKeywordDefinition } from 'ajv'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { keywordsThat } from '../document/vocabulary.js'
import { hasValidDefault } from './defaults/defaults.js'
import { leavesFirst } from './graphs.js'
import {
  alwaysApplied,
  mapSubschemas,
  referenceOf,
  requiredOf,
  type Schema,
  schemaList,
  schemaMap,
} from './schema.js'

/** What excludes a property from one direction: `readOnly` from requests, `writeOnly` from responses. */
export type OneWay = 'readOnly' | 'writeOnly'

/** Why a property is optional: its direction, or a default that its schema accepts. */
export type Mark = OneWay | 'default'

type Schemas = ReadonlyMap<string, Schema>

/** Keywords whose subschemas may fail without failing the whole schema. */
export const tentative = keywordsThat(({ binds }) => binds === 'tentative')

/** Keywords below which a wider schema makes the whole schema narrower. */
export const conditional = keywordsThat(({ binds }) => binds === 'test')

/**
 * Whether a property is omitted, because of its own mark or that of a schema that always applies to it: a
 * reference's target, a part of an `allOf`, or the only branch of an `anyOf` or `oneOf` (JSON Schema Validation
 * 2020-12, section 9.4).
 */
export function isLeftOut(schemas: Schemas, property: Schema | undefined, mark: OneWay): boolean {
  if (!isObject(property)) return false
  const { marked } = resultsOf(schemas, mark)
  const found = marked.get(property)
  if (found !== undefined) return found
  const isKnown = (part: Schema): boolean => !isObject(part) || marked.has(part)
  for (const part of leavesFirst<Schema>(property, (part) => alwaysApplied(schemas, part), isKnown)) {
    if (!isObject(part)) continue
    const stated = own(part, mark)
    const isMarked = (other: Schema): boolean => isObject(other) && marked.get(other) === true
    marked.set(part, typeof stated === 'boolean' ? stated : alwaysApplied(schemas, part).some(isMarked))
  }
  return marked.get(property) === true
}

/** Names of properties with the mark, in the schema and in its references and `allOf` branches. */
export function leftOutNames(schemas: Schemas, schema: Schema, mark: OneWay): ReadonlySet<string> {
  return markedNames(schemas, schema, mark)
}

/** The schema with every property that has a default made optional, wherever it is declared and required. */
export function withoutDefaulted(schemas: Schemas, schema: Schema): Schema {
  return notRequiringMarked(schemas, schema, 'default')
}

/** Whether a schema requires a property that has a default, itself or in its parts. */
function requiresDefaulted(schemas: Schemas, schema: Schema): boolean {
  const defaulted = defaultedNames(schemas, schema)
  return [...requiredNames(schemas, schema)].some((name) => defaulted.has(name))
}

/**
 * A branch of `oneOf` may match as the document has it, or with defaults omitted: a value that matches one
 * branch of the document stays valid although another branch would match after defaults.
 *
 * `written`: the schema with defaults omitted. `strict`: writes a branch as the document has it.
 */
export function eitherWay(
  schemas: Schemas,
  source: JsonObject,
  written: JsonObject,
  strict: (branch: Schema) => Json,
): JsonObject {
  const branches = schemaList(source, 'oneOf')
  if (Object.hasOwn(written, 'discriminator')) return written
  if (!branches.some((branch) => requiresDefaulted(schemas, branch))) return written
  const { oneOf = [], ...rest } = written
  const either = { anyOf: [{ oneOf: branches.map(strict) }, { oneOf }] }
  return { ...rest, allOf: [...schemaList(rest, 'allOf'), either] }
}

/** The properties that a schema requires, itself or in its parts. */
export function requiredNames(schemas: Schemas, schema: Schema): ReadonlySet<string> {
  return namesOf(resultsOf(schemas, 'default').required, schema, requiredOf, schemas)
}

/** The properties that have a default, in the schema or its parts. */
export function defaultedNames(schemas: Schemas, schema: Schema): ReadonlySet<string> {
  return markedNames(schemas, schema, 'default')
}

/**
 * The schema with every omitted property made optional, wherever in the parts of an allOf it is declared and
 * required. Inlines a component that requires what only another part declares, because the component itself
 * must keep requiring it elsewhere.
 */
export function withoutLeftOut(schemas: Schemas, schema: Schema, mark: OneWay): Schema {
  return notRequiringMarked(schemas, schema, mark)
}

/** A schema and its parts without the properties that a direction omits. References stay. */
export function oneSided(schemas: Schemas, schema: Schema, mark: OneWay): Schema {
  if (!isObject(schema)) return schema
  const required = withoutLeftOut(schemas, schema, mark)
  if (!isObject(required)) return required
  const properties = schemaMap(required, 'properties').filter(([, one]) => !isLeftOut(schemas, one, mark))
  const kept = Object.hasOwn(required, 'properties')
    ? { ...required, properties: objectOf(properties) }
    : required
  return mapSubschemas(kept, (part) => (isObject(part) ? oneSided(schemas, part, mark) : part !== false))
}

function notRequiringMarked(schemas: Schemas, schema: Schema, mark: Mark): Schema {
  if (!isObject(schema)) return schema
  if (!Object.hasOwn(schema, 'required') && !Object.hasOwn(schema, 'allOf')) return schema
  const names = markedNames(schemas, schema, mark)
  if (names.size === 0) return schema
  const requires = (part: Schema): boolean => {
    const required = requiredNames(schemas, part)
    const own = markedNames(schemas, part, mark)
    return [...required].some((name) => names.has(name) && !own.has(name))
  }
  return notRequiring(schemas, schema, names, requires)
}

/** Always fails for an omitted property, with an error that says why. */
export const oneWayKeywords: readonly CodeKeywordDefinition[] = [
  forbidding('readOnly', 'must not be sent: it is read-only'),
  forbidding('writeOnly', 'must not be returned: it is write-only'),
]

function forbidding(keyword: OneWay, message: string): CodeKeywordDefinition {
  return { keyword, schemaType: 'boolean', error: { message }, code: (context) => context.fail() }
}

type Names = WeakMap<object, ReadonlySet<string>>

/** Results for the schemas of one document, so that a chain of schemas is walked once, not once per schema. */
const known = new WeakMap<Schemas, Map<Mark, Results>>()

interface Results {
  readonly declared: Names
  readonly required: Names
  /** Whether a schema itself has the mark. */
  readonly marked: WeakMap<object, boolean>
}

function resultsOf(schemas: Schemas, mark: Mark): Results {
  const marks = known.get(schemas) ?? new Map<Mark, Results>()
  known.set(schemas, marks)
  const found = marks.get(mark) ?? {
    declared: new WeakMap(),
    required: new WeakMap(),
    marked: new WeakMap(),
  }
  marks.set(mark, found)
  return found
}

/** Names of a schema, including its references and allOf parts. */
function namesOf(
  known: Names,
  schema: Schema,
  namesHere: (part: JsonObject) => readonly string[],
  schemas: Schemas,
): ReadonlySet<string> {
  const isKnown = (part: Schema): boolean => !isObject(part) || known.has(part)
  for (const part of leavesFirst(schema, (part) => partsOf(schemas, part), isKnown)) {
    if (!isObject(part)) continue
    const parts = partsOf(schemas, part).flatMap((other) => (isObject(other) ? (known.get(other) ?? []) : []))
    const here = namesHere(part)
    const found = parts.filter((names) => names.size > 0)
    const [only] = found
    const inherits = here.length === 0 && found.every((names) => names === only)
    known.set(part, inherits ? (only ?? none) : new Set([...here, ...found.flatMap((names) => [...names])]))
  }
  return isObject(schema) ? (known.get(schema) ?? none) : none
}

const none: ReadonlySet<string> = new Set()

function partsOf(schemas: Schemas, schema: Schema): Schema[] {
  if (!isObject(schema)) return []
  const target = schemas.get(referenceOf(schema) ?? '')
  return [...(target === undefined ? [] : [target]), ...schemaList(schema, 'allOf')]
}

function markedNames(schemas: Schemas, schema: Schema, mark: Mark): ReadonlySet<string> {
  const { declared } = resultsOf(schemas, mark)
  return namesOf(declared, schema, (part) => markedHere(schemas, part, mark), schemas)
}

function markedHere(schemas: Schemas, schema: JsonObject, mark: Mark): string[] {
  const isMarked = (property: Schema): boolean =>
    mark === 'default'
      ? isObject(property) && Object.hasOwn(property, 'default') && hasValidDefault(schemas, property)
      : isLeftOut(schemas, property, mark)
  return schemaMap(schema, 'properties').flatMap(([name, property]) => (isMarked(property) ? [name] : []))
}

function notRequiring(
  schemas: Schemas,
  schema: Schema,
  names: ReadonlySet<string>,
  requires: (part: Schema) => boolean,
): Schema {
  if (!isObject(schema)) return schema
  const taken = withTarget(schemas, schema, requires)
  const kept = Object.hasOwn(schema, 'required')
    ? objectOf([
        ...Object.entries(taken).filter(([keyword]) => keyword !== 'required'),
        ['required', requiredOf(schema).filter((name) => !names.has(name))],
      ])
    : taken
  return mapSubschemas(kept, (part, keyword) => {
    const schema = typeof part === 'boolean' || isObject(part) ? part : true
    return keyword === 'allOf' ? notRequiring(schemas, schema, names, requires) : schema
  })
}

/** The schema with its reference's target inlined, if that requires an omitted property. */
function withTarget(schemas: Schemas, schema: JsonObject, requires: (part: Schema) => boolean): JsonObject {
  const target = schemas.get(referenceOf(schema) ?? '')
  if (target === undefined || !requires(target)) return schema
  const siblings = objectOf(Object.entries(schema).filter(([keyword]) => keyword !== '$ref'))
  return { ...siblings, allOf: [target, ...schemaList(schema, 'allOf')] }
}
