import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import {
  type Cursor,
  childPointer,
  lookup,
  member,
  members,
  objectOf,
  rootCursor,
  sortedEntries,
} from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isArray, isObject, type MutableObject, own, setOwn } from '../../document/json.js'
import { parsePointer } from '../../document/pointer.js'
import { keywordsThat } from '../../document/vocabulary.js'
import { keepDigits } from '../../document/written-digits.js'
import { keepOrder } from '../../document/written-order.js'
import { isPattern } from '../../patterns/pattern.js'
import { canonical } from '../../schema/canonical.js'
import { type Int64, isInt64Format } from '../../schema/int64.js'
import { isWrong, withNumericBounds } from '../../schema/keyword.js'
import {
  holdsSchemas,
  isSchema,
  isSchemaMap,
  referenceTo,
  replaced,
  type Schema,
} from '../../schema/schema.js'
import { mayBeRounded, type RoundedSchemas } from './int64-values.js'

/** The component schemas of a document, and the reader that converts any schema to the model's form. */
export interface Components {
  /** By name. Grows while reading schemas that refer to other places in the document. */
  readonly schemas: Map<string, Schema>
  /** JSON pointer of each component schema. */
  readonly pointers: Map<string, string>
  /** Copies of components for multipart bodies, by the name of the original. */
  readonly uploads: Map<string, string>
  /** Schemas with integers that the document may not represent exactly. Empty if int64 integers are numbers. */
  readonly rounded: RoundedSchemas
  /** The schema at a cursor: sorted keys, references only to component schemas, no identifiers. */
  readonly read: (cursor: Cursor) => Schema
}

/**
 * Reads every schema under `components`. A reference to a schema elsewhere in the document (`#/paths/…`)
 * makes that schema a component of its own, with a name from its pointer.
 */
export function readComponents(document: Document, diagnostics: Diagnostic[], int64: Int64): Components {
  const schemas = new Map<string, Schema>()
  const pointers = new Map<string, string>()
  const rounded = new Map<string, Schema>()
  const names = new Map<string, string>()
  const declared = componentCursors(document)
  for (const cursor of declared) names.set(cursor.pointer, cursor.key)
  const taken = new Set(names.values())

  const report = (code: Code, pointer: string, message: string, remedy: string): void => {
    diagnostics.push(diagnose(code, message, document.locate(pointer), { remedy }))
  }

  const nameOf = (target: Cursor): string => {
    const known = names.get(target.pointer)
    if (known !== undefined) return known
    const name = freeName(hoistedName(target.pointer), taken)
    names.set(target.pointer, name)
    taken.add(name)
    pointers.set(name, target.pointer)
    schemas.set(name, true)
    schemas.set(name, read(target))
    return name
  }

  const readReference = (reference: string, pointer: string): string | undefined => {
    const target = lookup(document, reference)
    if (target === undefined || !isSchema(target.value)) {
      report(
        'reference-missing',
        pointer,
        `The schema refers to ${JSON.stringify(reference)}, where there is no schema`,
        'Refer to a schema under #/components/schemas.',
      )
      return undefined
    }
    return referenceTo(nameOf(target))
  }

  const read = (cursor: Cursor): Schema => {
    const { value, pointer } = cursor
    if (typeof value === 'boolean') return value
    if (!isObject(value)) {
      report(
        'wrong-type',
        pointer,
        `A schema is an object or a boolean; this is ${JSON.stringify(value)}`,
        'Write a schema, such as { type: string }.',
      )
      return true
    }
    const numeric = withNumericBounds(value)
    const made: MutableObject = {}
    const readPart = (part: Json, keyword: string, key: string | number | undefined): Schema =>
      read({ value: part, pointer: childPointer(pointer, keyword, ...(key === undefined ? [] : [key])) })
    for (const keyword of Object.keys(numeric).sort()) {
      const item = numeric[keyword] ?? null
      if (dropped.has(keyword) || isWrong(keyword, item)) continue
      setOwn(
        made,
        keyword,
        holdsSchemas(keyword)
          ? sorted(keyword, replaced(keyword, item, readPart))
          : canonicalKeyword(keyword, item),
      )
    }
    keepDigits(numeric, made)
    if (int64 !== 'number') {
      if (isInt64Format(made)) made.$int64 = true
      if (mayBeRounded(made)) rounded.set(pointer, made)
    }
    // After the parts of the schema, which may have named the targets of these references.
    const target = own(made, '$ref')
    if (typeof target === 'string') {
      const reference = readReference(target, pointer)
      if (reference === undefined) delete made.$ref
      else made.$ref = reference
    }
    const discriminator = own(made, 'discriminator')
    if (discriminator !== undefined)
      made.discriminator = canonical(readDiscriminator(document, discriminator, names))
    return made
  }

  for (const cursor of declared) {
    pointers.set(cursor.key, cursor.pointer)
    schemas.set(cursor.key, read(cursor))
  }
  return { schemas, pointers, uploads: new Map(), rounded, read }
}

/** The canonical value of a keyword without subschemas. A discriminator is read separately, so it stays. */
function canonicalKeyword(keyword: string, value: Json): Json {
  if (keyword === 'required' && isArray(value)) return [...new Set(value)]
  return keyword === 'discriminator' ? value : canonical(value)
}

/** A map of schemas sorted by name, without invalid patterns. Any other value is unchanged. */
function sorted(keyword: string, value: Json): Json {
  if (!isSchemaMap(keyword) || !isObject(value)) return value
  const entries = sortedEntries(value)
  const map = objectOf(keyword === 'patternProperties' ? entries.filter(([key]) => isPattern(key)) : entries)
  keepOrder(map, Object.keys(value))
  return map
}

/**
 * Keywords that name or locate a schema, since references are resolved, and those of earlier drafts, which mean nothing
 * in 2020-12.
 */
const dropped = new Set([
  ...keywordsThat(({ role, outdated }) => role === 'identifier' || outdated !== undefined),
  ...['$binary', '$comment', '$dynamicRef', '$int64', 'externalDocs', 'xml'],
])

function componentCursors(document: Document): (Cursor & { readonly key: string })[] {
  const components = member(rootCursor(document), 'components')
  return members(components === undefined ? undefined : member(components, 'schemas'))
}

/** `#/paths/~1clients/get/responses/200/…/schema` becomes `PathsClientsGetResponses200Schema`. */
function hoistedName(pointer: string): string {
  const segments = (parsePointer(pointer) ?? []).filter(
    (segment) => segment !== 'components' && segment !== 'schemas' && segment !== 'content',
  )
  const words = segments.flatMap((segment) => segment.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return name === '' ? 'Document' : name
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number++) {
    const name = `${wanted}${number}`
    if (!taken.has(name)) return name
  }
}

/** A mapping's values are names or references. Turns them all into references (OpenAPI 3.2, Discriminator Object). */
function readDiscriminator(document: Document, value: Json, names: ReadonlyMap<string, string>): Json {
  if (!isObject(value)) return value
  const resolved = (target: Json): Json => {
    if (typeof target !== 'string') return target
    const name = names.get(lookup(document, target)?.pointer ?? childPointer('#/components/schemas', target))
    return name === undefined ? target : referenceTo(name)
  }
  const mapping = own(value, 'mapping')
  const fallback = own(value, 'defaultMapping')
  return {
    ...value,
    ...(fallback !== undefined && { defaultMapping: resolved(fallback) }),
    ...(isObject(mapping) && {
      mapping: objectOf(sortedEntries(mapping).map(([key, target]) => [key, resolved(target)])),
    }),
  }
}
