import type { Coercion, ParameterBinding } from 'duet-runtime'
import { bodyValue } from '../../document/body-value.js'
import { type Cursor, follow, member, members, text } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isSchema } from '../../schema/schema.js'

/** Path to the member of a response's body that has the text of its `ETag`, from `x-value` of that header. */
export function entityTagPath(document: Document, response: Cursor): readonly string[] | undefined {
  const header = members(member(response, 'headers')).find(({ key }) => key.toLowerCase() === 'etag')
  const target = header && follow(document, header)
  return target && bodyValue(member(target, 'x-value')?.value)
}

/**
 * The schema of a parameter among the params. For `If-Match` that is the bare tag, which `x-rpc-schema`
 * describes; `schema` describes the header with the quotation marks. Without `x-rpc-schema`, `schema` serves
 * for both.
 */
export function paramSchema(parameter: Cursor): Cursor | undefined {
  const ofParam = isIfMatch(parameter) ? member(parameter, 'x-rpc-schema') : undefined
  return ofParam !== undefined && isSchema(ofParam.value) ? ofParam : member(parameter, 'schema')
}

function isIfMatch({ value }: Cursor): boolean {
  return text(value, 'in') === 'header' && text(value, 'name')?.toLowerCase() === 'if-match'
}

/** The bare tag of a header's example, as the param has it. */
export function opaqueText(example: Json): Json {
  return typeof example === 'string' ? example.replace(/^"(.*)"$/, '$1') : example
}

/** Whether a header contains one entity tag (RFC 9110 section 13.1.1). A list of tags is read as any other list. */
export function asksForEntityTag(name: string, place: ParameterBinding['in'], coerce: Coercion): boolean {
  const isText = coerce.types.filter((type) => type !== 'null').join() === 'string' && coerce.binary !== true
  return place === 'header' && name.toLowerCase() === 'if-match' && isText
}
