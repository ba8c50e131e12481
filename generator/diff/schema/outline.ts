import { compareText, objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { holdingOf, keywordNamed } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
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
  if (held === 'schemas' && isArray(value)) return sorted(value.map(bare))
  if (keywordNamed(key)?.unordered === true && isArray(value)) return sorted(value)
  if (held !== 'schema-map' || !isObject(value)) return value
  return objectOf(Object.entries(value).map(([name, schema]) => [name, bare(schema)] as const))
}

/** Texts within texts would double with each level, so the values stay values. */
function sorted(values: readonly Json[]): Json[] {
  return values
    .map((value) => [fingerprint(value), value] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, value]) => value)
}
