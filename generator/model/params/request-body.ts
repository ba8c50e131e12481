import type { BodyMedia } from 'duet-runtime'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, objectOf, text } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { groupBy } from '../../document/grouping.js'
import { isObject } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { allowedTypes } from '../../schema/coercion.js'
import { mapSubschemas, resolve, type Schema, schemaMap } from '../../schema/schema.js'
import { fieldWithBinaries } from '../content/binary.js'
import type { Components } from '../content/components.js'
import { type MediaType, mediaTypesOf } from '../content/content.js'
import { bodyObject } from './body.js'
import { encodingOf, formFields } from './form-fields.js'

/** The content of a request body, independent of its media type. */
export interface BodyContent {
  readonly schema: Schema
  /** The media type that gives the params their names. */
  readonly chosen: MediaType
  /** The accepted media types. Undefined if only JSON is accepted. */
  readonly media: readonly BodyMedia[] | undefined
}

/**
 * The content of a request body. Accepts all media types that have the chosen one's schema. If others have
 * different schemas, the body becomes a choice (`anyOf`) if all are objects; else those are omitted with a
 * warning.
 */
export function readBodyContent(
  document: Document,
  components: Components,
  requestBody: Cursor,
  diagnostics: Diagnostic[],
): BodyContent | undefined {
  const types = mediaTypesOf(document, requestBody)
  const [chosen] = types
  if (chosen === undefined) return undefined
  const read = types.map((type) => contentOf(components, type))
  const groups = groupBy(read, ({ plain }) => fingerprint(plain))
  const [first = [], ...others] = [...groups.values()]
  const isObjectBody = (content: Content | undefined) =>
    content !== undefined && bodyObject(components.schemas, content.schema) !== undefined
  const merged = isObjectBody(first[0]) ? others.filter(([content]) => isObjectBody(content)) : []
  for (const [content] of others.filter((group) => !merged.includes(group))) {
    if (content !== undefined) diagnostics.push(leftOut(document, components, content, chosen))
  }
  for (const { type, schema } of first) {
    if (type.kind === 'text' && !isAsStated(components, { type, schema }))
      diagnostics.push(unparsed(document, type))
  }
  const accepted = [first, ...merged].flat()
  const schemas = [first, ...merged].map((group) => widest(group))
  const [only = true] = schemas
  return {
    schema: schemas.length === 1 ? only : { anyOf: schemas },
    chosen,
    media:
      isUsualJson(chosen) && accepted.every(({ type }) => type.kind === 'json')
        ? undefined
        : accepted.map((content) => mediaOf(components, content)),
  }
}

/** Whether clients send JSON of no other type, such as `application/merge-patch+json`. A range names none. */
function isUsualJson({ type }: MediaType): boolean {
  return type === 'application/json' || type.includes('*')
}

interface Content {
  readonly type: MediaType
  readonly schema: Schema
  /** The schema without its files. Shows whether two media types have the same content. */
  readonly plain: Schema
}

function contentOf(components: Components, type: MediaType): Content {
  const stated = type.schema === undefined ? true : components.read(type.schema)
  switch (type.kind) {
    case 'json':
    case 'form':
      return { type, schema: stated, plain: stated }
    case 'multipart':
      return { type, schema: partsOf(components, stated, type), plain: stated }
    case 'binary':
      return { type, schema: { $binary: true }, plain: { $binary: true } }
    default: {
      const schema = isText(components, stated) ? stated : { type: 'string' }
      return { type, schema, plain: schema }
    }
  }
}

/** Among equal schemas, the one with files, since JSON transports them as base64. */
function widest(group: readonly Content[]): Schema {
  return (group.find(({ type }) => type.kind === 'multipart') ?? group[0])?.schema ?? true
}

function isText(components: Components, schema: Schema): boolean {
  const types = allowedTypes(components.schemas, schema)
  return types?.size === 1 && types.has('string')
}

function partsOf(components: Components, schema: Schema, media: MediaType): Schema {
  const target = resolve(components.schemas, schema)
  if (!isObject(target)) return target
  const properties = schemaMap(target, 'properties').map(([name, property]): [string, Json] => [
    name,
    fieldWithBinaries(components, property, text(encodingOf(media, name)?.value, 'contentType')),
  ])
  const parts = mapSubschemas(target, (part, keyword) => {
    const read = typeof part === 'boolean' || isObject(part) ? part : true
    return compositions.some((name) => name === keyword) ? partsOf(components, read, media) : read
  })
  return properties.length === 0 ? parts : { ...parts, properties: objectOf(properties) }
}

function mediaOf(components: Components, { type, schema }: Content): BodyMedia {
  const kind = type.kind === 'events' || type.kind === 'lines' ? 'text' : type.kind
  if (kind !== 'form' && kind !== 'multipart') return { type: type.type, kind }
  const fields = formFields(components.schemas, schema, type)
  return { type: type.type, kind, ...(fields.length > 0 && { fields }) }
}

/** Whether a body is read by the schema that the document states for it, if any. */
function isAsStated(components: Components, { type, schema }: Pick<Content, 'type' | 'schema'>): boolean {
  return type.schema === undefined || fingerprint(components.read(type.schema)) === fingerprint(schema)
}

function leftOut(
  document: Document,
  components: Components,
  content: Content,
  chosen: MediaType,
): Diagnostic {
  const { name, cursor, kind } = content.type
  const isStructured = kind === 'json' || kind === 'form' || kind === 'multipart'
  const isIgnored = !isStructured && !isAsStated(components, content)
  const form = kind === 'binary' ? 'bytes' : 'text'
  const other = JSON.stringify(chosen.name)
  const reason = isIgnored
    ? `duet would read it as ${form}, which the schema of type ${other} does not describe`
    : `its schema differs from the one of type ${other}`
  const message = `A body of type ${JSON.stringify(name)} is not accepted: ${reason}`
  const remedy = isIgnored
    ? 'Remove this media type, or split the operation in two.'
    : 'Give both the same schema, make both objects, or split the operation in two.'
  return diagnose('body-media-type', message, document.locate(cursor.pointer), { remedy })
}

function unparsed(document: Document, { name, cursor }: MediaType): Diagnostic {
  const message = `A body of type ${JSON.stringify(name)} is passed on as text; its schema is ignored`
  const remedy = 'Offer application/json as well.'
  return diagnose('body-media-type', message, document.locate(cursor.pointer), { remedy })
}
