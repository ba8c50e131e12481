import type { Coercion, ParameterBinding } from 'duet-runtime'
import { bodyValue } from '../load/body-value.js'
import type { Document } from '../load/document.js'
import { type Cursor, follow, member, members } from './cursor.js'

/** Names of the members of a response's body that lead to its `ETag`, by `x-value` of that header. */
export function entityTagPath(document: Document, response: Cursor): readonly string[] | undefined {
  const header = members(member(response, 'headers')).find(({ key }) => key.toLowerCase() === 'etag')
  const target = header && follow(document, header)
  return target && bodyValue(member(target, 'x-value')?.value)
}

/** Whether a header asks for one entity tag (RFC 9110 section 13.1.1). A list of them is read as any list is. */
export function asksForEntityTag(name: string, place: ParameterBinding['in'], coerce: Coercion): boolean {
  const isText = coerce.types.filter((type) => type !== 'null').join() === 'string' && coerce.binary !== true
  return place === 'header' && name.toLowerCase() === 'if-match' && isText
}
