import type { VersionReading } from '../../adapt/version-reading.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import { isLeftOut } from '../../schema/one-way.js'
import { resolve, schemaMap } from '../../schema/schema.js'
import { pathText, sitesOf, withValue } from '../schema-site.js'
import type { Case } from './case.js'

/**
 * Calls with a value that breaks the format of its schema. A format is an annotation (JSON Schema Validation 2020-12, section
 * 7), so a server may accept or refuse the value. It may not fail on it.
 *
 * @param bases valid params. A case differs from the first of them that has its place
 */
export function formatCases(
  reading: VersionReading,
  { params }: Operation,
  bases: readonly JsonObject[],
): Case[] {
  return sitesOf(reading, params).flatMap(({ way, schema }): Case[] => {
    const format = own(schema, 'format')
    const value = typeof format === 'string' && way.length > 0 ? broken.get(format) : undefined
    if (value === undefined || closing.some((keyword) => Object.hasOwn(schema, keyword))) return []
    if (![own(schema, 'type') ?? []].flat().includes(typeof value === 'string' ? 'string' : 'integer'))
      return []
    const found = bases.map((base) => withValue(base, way, value)).find((one) => one !== undefined)
    if (found === undefined || !isObject(found)) return []
    return [
      {
        ...{ kind: 'open', params: found, way, keyword: 'format' },
        what: `with ${pathText(way)} ${JSON.stringify(value)}, which is no ${format}`,
      },
    ]
  })
}

/**
 * Calls with a read-only member. A server may ignore or refuse it (JSON Schema Validation 2020-12, section 9.4). It may not
 * fail.
 *
 * @param bases valid params. A case differs from the first of them that has its place
 */
export function readOnlyCases(
  reading: VersionReading,
  { params }: Operation,
  bases: readonly JsonObject[],
): Case[] {
  const { schemas } = reading.model
  return sitesOf(reading, params, true).flatMap(({ way, schema }) =>
    schemaMap(schema, 'properties').flatMap(([name, part]): Case[] => {
      const target = resolve(schemas, part)
      if (!isLeftOut(schemas, part, 'readOnly') || !isObject(target)) return []
      const [type = 'string'] = [own(target, 'type') ?? []].flat()
      const value = sent.get(String(type))
      const inner = [...way, name]
      const found = bases
        .map((base) => value && withValue(base, inner, value))
        .find((one) => one !== undefined)
      if (found === undefined || !isObject(found)) return []
      const what = `with ${pathText(inner)}, which is read-only`
      return [{ kind: 'open', params: found, way: inner, keyword: 'readOnly', what }]
    }),
  )
}

const sent: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['string', 'duet'],
  ['integer', 1],
  ['number', 1],
  ['boolean', true],
])

/** Keywords that refuse a value for reasons of their own. */
const closing = ['enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** A value that looks like its format. */
const broken: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['date', '2026-02-30'],
  ['date-time', '2026-02-30T25:61:00Z'],
  ['time', '25:61:00Z'],
  ['duration', 'P'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcdeg'],
  ['email', 'ann@'],
  ['hostname', '-a.'],
  ['ipv4', '127.0.0.256'],
  ['ipv6', '1::2::3'],
  ['uri', 'http://[duet'],
  ['byte', 'a'],
  ['int32', 2 ** 31],
  ['int64', 2 ** 64],
])
