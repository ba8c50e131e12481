import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { isBinarySchema } from '../../model/content/binary.js'
import { type Discrimination, discriminationOf } from '../../schema/discriminator.js'
import {
  conditional,
  isLeftOut,
  type OneWay,
  withoutDefaulted,
  withoutLeftOut,
} from '../../schema/one-way.js'
import { isSchema, mapSubschemas, type Schema, schemaMap } from '../../schema/schema.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * A schema of the model in the words of JSON Schema alone, as validators read it: what is not sent in this direction is
 * forbidden, the discriminator's value tells the branch, a file is some base64 text. Nobody has to send a property of a request
 * that has a default.
 *
 * `unsent`: the schema of what is not sent, where that is not forbidden.
 */
export function plainSchema(
  schemas: Schemas,
  schema: Schema,
  leftOut: OneWay,
  unsent: boolean = false,
  isStrict = false,
): Schema {
  const known = withoutLeftOut(schemas, schema, leftOut)
  const sent = leftOut === 'readOnly' && !isStrict ? withoutDefaulted(schemas, known) : known
  if (!isObject(sent)) return sent
  if (isBinarySchema(sent)) return { const: 'YQ==' }
  const plain = mapSubschemas(sent, (part, keyword) =>
    isSchema(part) ? plainSchema(schemas, part, leftOut, unsent, isStrict || conditional.has(keyword)) : true,
  )
  const hidden = schemaMap(sent, 'properties').filter(([, property]) => isLeftOut(schemas, property, leftOut))
  const discrimination = discriminationOf(schemas, sent)
  return {
    ...(discrimination === undefined ? plain : discriminated(plain, discrimination)),
    ...(hidden.length > 0 && {
      properties: objectOf([
        ...schemaMap(plain, 'properties'),
        ...hidden.map(([name]): [string, Json] => [name, unsent]),
      ]),
    }),
  }
}

/** A schema whose discriminator is said by keywords that JSON Schema has. */
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

/** Tells branches that a discriminator chooses among from those that are tried out. */
export const chosen = 'chosen by a discriminator'
