import { type Cursor, member, objectOf } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import { isAnnotation } from '../../../schema/schema.js'
import type { Subject } from '../../change/subject.js'
import { dereferenced } from '../../same/within.js'
import { compareSchemas, type OperationPair } from './pair.js'

/** Compares what the schemas of two files say: their lengths, in bytes (OpenAPI 3.1.1, Working With Binary Data). */
export function compareFiles(pair: OperationPair, subject: Subject, old: Cursor, fresh: Cursor): void {
  const [a, b] = (
    [
      [pair.old, old],
      [pair.new, fresh],
    ] as const
  ).map(([side, media]): Cursor => {
    const schema = member(media, 'schema')
    const at = schema === undefined ? { ...media, value: true } : dereferenced(side, schema)
    return { ...at, value: asFile(at.value) }
  })
  if (a !== undefined && b !== undefined)
    compareSchemas(pair, { ...subject, isLoose: false, isFile: true }, a, b)
}

/** A file in OpenAPI 3.0's spelling, which expresses everything a part says. */
export function asFile(schema: Json): Json {
  if (!isObject(schema)) return { type: 'string', format: 'binary' }
  const stated = own(schema, 'type')
  const isSaid = (key: string): boolean => isAnnotation(key) || lengths.has(key)
  const keywords = Object.keys(schema).filter((key) => key !== 'type' && key !== 'format' && !isSaid(key))
  if (stated === 'string' && own(schema, 'format') === 'binary' && keywords.length === 0) return schema
  // The target of a reference is spelled where it is declared.
  if (own(schema, '$ref') !== undefined) return schema
  const said = Object.entries(schema).filter(([key]) => isSaid(key))
  const type = isArray(stated) && stated.includes('null') ? ['string', 'null'] : 'string'
  return { ...objectOf(said), type, format: 'binary' }
}

const lengths = new Set(['maxLength', 'minLength'])
