import type { Json, JsonObject } from '../document/document.js'
import { walk } from '../document/grammar.js'
import { isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { parseFragment, segmentsOf, valueAt } from '../document/pointer.js'
import {
  choices,
  exclusiveBounds,
  isExtension,
  keywordNamed,
  keywordsThat,
  refusingNull,
} from '../document/vocabulary.js'
import { keepDigits, keepDigitsAt } from '../document/written-digits.js'
import type { Origins } from './origins.js'

/**
 * Converts an OpenAPI 3.0 document to 3.1, in place. Follows the differences between 3.0.3's Schema Object
 * and JSON Schema 2020-12. A value that 3.0 does not allow stays, and lint reports it.
 */
export function upgrade(root: MutableObject, origins: Origins): void {
  root.openapi = '3.1.1'
  walk({ kind: 'document', value: root, path: undefined }, (node) => {
    if (node.kind === 'schema' && isObject(node.value)) {
      const schema: MutableObject = node.value
      upgradeReference(schema)
      upgradeNullable(root, schema)
      for (const [exclusive, inclusive] of exclusiveBounds) upgradeBound(schema, inclusive, exclusive)
      upgradeContent(schema)
      if (Object.hasOwn(schema, 'example') && !Object.hasOwn(schema, 'examples')) {
        const { source, segments } = origins.of(segmentsOf(node.path))
        const examples = [schema.example ?? null]
        keepDigitsAt([schema, 'example'], [examples, '0'])
        origins.set(examples, { source, segments: [...segments, 'example'] })
        schema.examples = examples
        delete schema.example
      }
    }
    return undefined
  })
}

/** Applies `nullable` in a 3.1 or 3.2 document as 3.0 defines it. */
export function modernise(root: MutableObject): void {
  walk({ kind: 'document', value: root, path: undefined }, (node) => {
    if (node.kind !== 'schema' || !isObject(node.value)) return undefined
    if (own(node.value, 'nullable') === true) outdated.add(node.value)
    upgradeNullable(root, node.value)
    return undefined
  })
}

/** Whether a schema of a 3.1 or 3.2 document was written with `nullable: true`. */
export function wasNullable(schema: JsonObject): boolean {
  return outdated.has(schema)
}

const outdated = new WeakSet<JsonObject>()

/** 3.0 ignores everything next to `$ref`, 3.1 does not: removes whatever could change the meaning. */
function upgradeReference(schema: MutableObject): void {
  if (typeof own(schema, '$ref') !== 'string') return
  for (const key of Object.keys(schema)) {
    if (key !== '$ref' && key !== 'nullable' && key !== 'description' && !isExtension(key)) delete schema[key]
  }
}

/**
 * Makes a schema with `nullable: true` accept null. According to 3.0.3's clarification, the keyword has no
 * effect without a `type` next to it. But documents write it next to anyOf and `$ref` just as next to types,
 * with the same meaning; the literal rule would refuse their services' own responses. It also makes an `enum`
 * accept null that does not list it, as examples in such documents show.
 */
function upgradeNullable(root: JsonObject, schema: MutableObject): void {
  const nullable = own(schema, 'nullable')
  if (typeof nullable !== 'boolean') return
  delete schema.nullable
  if (!nullable) return
  const type = own(schema, 'type')
  const values = own(schema, 'enum')
  if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null']
  else if (isArray(type) && !type.includes('null')) schema.type = [...type, 'null']
  if (isArray(values) && !values.includes(null)) {
    const wider = [...values, null]
    keepDigits(values, wider)
    implied.add(wider)
    schema.enum = wider
  }
  let isRefusing = wrapped.some((keyword) => Object.hasOwn(schema, keyword))
  for (const keyword of choices) {
    const branches = own(schema, keyword)
    if (!isArray(branches)) continue
    const taking = branches.filter((branch) => takesNull(root, branch))
    if (taking.length === 0) schema[keyword] = [...branches, { type: 'null' }]
    // `oneOf` refuses a null that two branches accept.
    isRefusing ||= keyword === 'oneOf' && taking.length > 1
  }
  if (isRefusing) wrapNullable(schema)
}

/** Keywords that may refuse null and cannot be widened in place. */
const wrapped = [...refusingNull].filter(
  (keyword) => !['type', 'enum', ...choices].includes(keyword) && keywordNamed(keyword)?.isDependent !== true,
)

/**
 * Whether an `enum` only has null because of `nullable`. OpenAPI 3.0.4 allows the `enum` to refuse null
 * nevertheless.
 */
export function isNullImplied(values: Json | undefined): boolean {
  return isArray(values) && implied.has(values)
}

const implied = new WeakSet<readonly Json[]>()

/** Turns keywords that refuse null into one of two alternatives. Annotations stay outside. */
function wrapNullable(schema: MutableObject): void {
  const inner: MutableObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (outer.has(key) || isExtension(key)) continue
    setOwn(inner, key, value)
    delete schema[key]
  }
  schema.anyOf = [inner, { type: 'null' }]
}

const outer = keywordsThat(
  ({ role, of, holds }) =>
    role === 'words' || (role === 'note' && of === undefined && holds !== 'discriminator'),
)

/** Whether a branch says that it accepts null, in the words of either version: branches are read after their schema. */
function takesNull(root: JsonObject, branch: Json, seen = new Set<Json>()): boolean {
  if (!isObject(branch) || seen.has(branch)) return false
  seen.add(branch)
  if (own(branch, 'nullable') === true) return true
  const [type, values, reference] = ['type', 'enum', '$ref'].map((key) => own(branch, key))
  if (type !== undefined) return [type].flat().includes('null')
  if (isArray(values)) return values.includes(null)
  const segments = typeof reference === 'string' ? parseFragment(reference.replace(/^#/, '')) : undefined
  const target = segments && valueAt(root, segments)
  const listed = choices.flatMap((key) => own(branch, key) ?? [])
  const inner = [...(target === undefined ? [] : [target]), ...listed]
  return inner.some((one) => takesNull(root, one, seen))
}

/** Turns a flag next to a bound (3.0) into a bound of its own (3.1). */
function upgradeBound(schema: MutableObject, bound: string, exclusive: string): void {
  const flag = own(schema, exclusive)
  if (typeof flag !== 'boolean') return
  delete schema[exclusive]
  const value: Json | undefined = own(schema, bound)
  if (!flag || value === undefined) return
  schema[exclusive] = value
  keepDigitsAt([schema, bound], [schema, exclusive])
  delete schema[bound]
}

/** Encodings of bytes: formats in 3.0, content keywords in 3.1 (3.1.1, Migrating binary descriptions from 3.0). */
function upgradeContent(schema: MutableObject): void {
  if (!isString(schema)) return
  const format = own(schema, 'format')
  if (format === 'binary') schema.contentMediaType = 'application/octet-stream'
  else if (format === 'byte' || format === 'base64') schema.contentEncoding = 'base64'
  else return
  delete schema.format
}

function isString(schema: JsonObject): boolean {
  const type = own(schema, 'type')
  return type === 'string' || (isArray(type) && type.includes('string'))
}
