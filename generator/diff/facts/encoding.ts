import type { JsonObject } from '../../load/document.js'
import { own } from '../../load/json.js'
import { type Cursor, member, text } from '../../model/cursor.js'
import { resolve } from '../schema/same.js'
import { typesOf } from '../schema/types.js'
import { namesOf } from '../schema/within.js'
import { asObject, type Side } from '../side.js'
import { type OperationPair, report } from './pair.js'
import { isOfType, styleOf } from './parameter.js'

/** How the fields of a form, or the parts of a multipart body, are written: JSON-RPC has them as JSON in any case. */
export function encodingFacts(pair: OperationPair, type: string, old: Cursor, fresh: Cursor): void {
  const [olds, news] = [old, fresh].map(({ value }) => asObject(own(asObject(value), 'encoding')))
  for (const name of namesOf(olds, news)) {
    const [a, b] = [fieldOf(pair.old, old, name), fieldOf(pair.new, fresh, name)]
    // A field that came or went, or has another type, is told by its schema.
    if (a === undefined || b === undefined) continue
    const isOther = a.style !== b.style && !isOfType(a.style, b.style)
    const isRefused = a.media.some((type) => !b.media.includes(type))
    const isTaken = b.media.some((type) => !a.media.includes(type))
    if (!isOther && !isRefused && !isTaken) continue
    const [was, is] = [a, b].map(({ style, media }) => [style, ...media].join(', '))
    report(pair, {
      id: 'request-body-encoding-changed',
      level: isOther || isRefused ? 'breaking' : 'compatible',
      message: `the field ${name} of the body is written another way: ${was} to ${is}`,
      ...{ old, new: fresh, path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` },
      values: [type, was, is],
      protocols: ['rest'],
    })
  }
}

interface Field {
  readonly style: string
  readonly media: readonly string[]
}

/** OpenAPI 3.1.1 section 4.8.15.1: what is said of style counts before a content type, which each type of value has one of. */
function fieldOf(side: Side, media: Cursor, name: string): Field | undefined {
  const schema = member(media, 'schema')
  const properties = own(asObject(resolve(side, schema?.value ?? true)), 'properties')
  const property = own(asObject(properties), name)
  if (property === undefined) return undefined
  const encoding = asObject(own(asObject(own(asObject(media.value), 'encoding')), name))
  const resolved = asObject(resolve(side, property))
  const types = typesOf(resolved).filter((type) => type !== 'null')
  const isScalar = types.length > 0 && types.every((type) => type !== 'array' && type !== 'object')
  const isStyled = ['style', 'explode', 'allowReserved'].some((key) => own(encoding, key) !== undefined)
  const said = text(encoding, 'contentType')
  const known = isStyled || said === undefined ? usualOf(side, resolved) : said
  return {
    style: styleOf(encoding, 'form', isScalar),
    media: known.split(',').map((type) => type.trim().toLowerCase()),
  }
}

function usualOf(side: Side, schema: JsonObject): string {
  const types = typesOf(schema)
  if (types.includes('object')) return 'application/json'
  if (types.includes('array')) return usualOf(side, asObject(resolve(side, own(schema, 'items') ?? {})))
  if (own(schema, 'contentEncoding') !== undefined || types.length === 0) return 'application/octet-stream'
  return text(schema, 'format') === 'binary' ? 'application/octet-stream' : 'text/plain'
}
