import { canonical } from '../../contains/values/value.js'
import { objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { holdingOf, keywordNamed } from '../../document/vocabulary.js'
import type { Side } from '../change/side.js'
import { isAnnotationKeyword, resolve } from '../same/same.js'

/**
 * The content of a schema for fingerprints: without annotations, without its name and the names of schemas that it
 * refers to, and with unordered lists sorted.
 */
export function outline(side: Side, schema: Json | undefined): Json {
  return schema === undefined ? null : bare(resolve(side, schema))
}

function bare(schema: Json): Json {
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key]) => !isAnnotationKeyword(key) && key !== 'discriminator')
  return objectOf(kept.map(([key, value]) => [key, member(key, value)] as const))
}

function member(key: string, value: Json): Json {
  if (key === '$ref') return ''
  const held = holdingOf(key)
  if (held === 'schema') return bare(value)
  if (held === 'schemas' && isArray(value)) return value.map(bare).map(canonical).sort()
  if (keywordNamed(key)?.unordered === true && isArray(value)) return value.map(canonical).sort()
  if (held !== 'schema-map' || !isObject(value)) return value
  return objectOf(Object.entries(value).map(([name, schema]) => [name, bare(schema)] as const))
}
