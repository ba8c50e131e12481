import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { binarySchema, isBinarySchema } from '../../model/content/binary.js'
import { type Discrimination, discriminationOf } from '../../schema/discriminator.js'
import {
  conditional,
  eitherWay,
  isLeftOut,
  type OneWay,
  withoutDefaulted,
  withoutLeftOut,
} from '../../schema/one-way.js'
import { isSchema, mapSubschemas, type Schema, schemaMap } from '../../schema/schema.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * Expresses a schema of the model with the keywords of JSON Schema alone, as validators read it: properties that are
 * not sent in this direction are forbidden, the discriminator's value selects the branch, and a file is a base64 text.
 * Properties of a request that have a default are optional.
 *
 * `unsent`: the schema of properties that are not sent. By default they are forbidden.
 */
export function plainSchema(
  schemas: Schemas,
  schema: Schema,
  leftOut: OneWay,
  unsent: boolean = false,
  isStrict = false,
): Schema {
  const known = withoutLeftOut(schemas, schema, leftOut)
  const isFilled = leftOut === 'readOnly' && !isStrict
  const sent = isFilled ? withoutDefaulted(schemas, known) : known
  if (!isObject(sent)) return sent
  if (isBinarySchema(sent)) return { ...binarySchema, const: 'YQ==' }
  // AJV refuses an empty enum.
  if (isArray(sent.enum) && sent.enum.length === 0) return false
  const plain = mapSubschemas(sent, (part, keyword) =>
    isSchema(part) ? plainSchema(schemas, part, leftOut, unsent, isStrict || conditional.has(keyword)) : true,
  )
  const hidden = schemaMap(sent, 'properties').filter(([, property]) => isLeftOut(schemas, property, leftOut))
  const discrimination = discriminationOf(schemas, sent)
  const strict = (branch: Schema): Schema => plainSchema(schemas, branch, leftOut, unsent, true)
  const tried = isFilled ? eitherWay(schemas, sent, plain, strict) : plain
  return {
    ...(discrimination === undefined ? tried : discriminated(plain, discrimination)),
    ...(hidden.length > 0 && {
      properties: objectOf([
        ...schemaMap(plain, 'properties'),
        ...hidden.map(([name]): [string, Json] => [name, unsent]),
      ]),
    }),
  }
}

/** A schema whose discriminator is expressed with JSON Schema keywords. */
export function discriminated(plain: JsonObject, discrimination: Discrimination): JsonObject {
  const { keyword, property, branches, absent, other, nullable } = discrimination
  const written = plain[keyword]
  const parts = Array.isArray(written)
    ? written.filter((part) => !isObject(part) || part.type !== 'null')
    : []
  const named = (values: Json, index: number): JsonObject => ({
    allOf: [parts[index] ?? true],
    type: 'object',
    properties: objectOf([[property, values]]),
    required: [property],
  })
  const alternatives: Json[] = branches.map(({ values }, index) => named({ enum: values }, index))
  if (absent !== undefined)
    alternatives.push({ allOf: [parts[absent] ?? true], type: 'object', not: { required: [property] } })
  if (other !== undefined)
    alternatives.push(named({ not: { enum: branches.flatMap(({ values }) => values) } }, other))
  if (nullable) alternatives.push({ type: 'null' })
  const { [keyword]: _, allOf = [], ...rest } = plain
  const one = { $comment: chosen, anyOf: alternatives }
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), one] }
}

/** What a discriminated sender sends. The value selects the branch, so a default of the branch never fills it in. */
export function withTag(sent: JsonObject, discrimination: Discrimination | undefined): JsonObject {
  if (discrimination === undefined || discrimination.absent !== undefined) return sent
  const untagged = { type: 'object', properties: objectOf([[discrimination.property, false]]) }
  return { allOf: [sent, { not: untagged }] }
}

/** Marks branches that a discriminator selects. Validators try others one by one. */
export const chosen = 'chosen by a discriminator'
