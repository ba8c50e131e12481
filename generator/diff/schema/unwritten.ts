import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { asObject } from '../change/side.js'
import type { Traits } from '../change/subject.js'
import { harmless, type Judged } from '../decide/judgement.js'
import { pick } from '../same/within.js'
import { coercedBy, saysNoType, takesOtherNames, typesOfText } from '../texts/coerced.js'
import { isContainer } from '../texts/reader.js'
import type { SchemaNode } from './node.js'
import type { Difference, SchemaWalk } from './schema-walk.js'

/** The verdict over REST, if REST cannot carry the refused value. Undefined if it can. */
export function judgeWritten(
  walk: SchemaWalk,
  { evidence: { witness } }: Judged,
  { action, keywords }: Difference,
): Judged | undefined {
  if (witness === undefined) return undefined
  const { sender, judgement, traits, node, isRequest } = walk
  const receiver = asObject(walk.receiver)
  const part = keywords.length === 0 ? receiver : pick(receiver, keywords)
  const values = unwritten(walk)
  const isText = typeof witness !== 'string' && isTextAlone(walk)
  const parts = typeof witness === 'object' && witness !== null ? undivided(walk) : undefined
  if (parts !== undefined) {
    if (judgement.isContained('request', sender, { not: parts })) return undefined
    return walk.passes({ allOf: [sender, { not: parts }] }, part)
  }
  const isOfHeader = isRequest && traits.isHeader === true && traits.isLoose === true && node.isRoot
  const isUncarried = isOfHeader && typeof witness === 'string' && !headerText.test(witness)
  if (!isText && !isUncarried && !values.includes(witness)) return undefined
  if (action === 'enum-value-removed') return harmless
  const sent = {
    ...(isText && { type: 'string' }),
    ...(isOfHeader && { pattern: headerText.source }),
    not: { enum: values },
  }
  return walk.passes({ allOf: [sender, sent] }, part)
}

/** Texts of a header (RFC 9110, section 5.5): Latin-1 at most, without white space around. */
const headerText = /^([!-~\u0080-\u00ff]([\t -~\u0080-\u00ff]*[!-~\u0080-\u00ff])?)?$/u

/**
 * Values of a parameter or of a form's field that REST cannot carry. The binder never reads null if the schema accepts
 * strings, lists or objects too, routers reject an empty path segment, and an empty query parameter that may be empty
 * counts as left out.
 */
export function unwritten({ old, sender, traits, node, isRequest }: SchemaWalk): readonly Json[] {
  const { isLoose, isInPath, isEmptyIgnored, lists } = traits
  if (!isRequest || isLoose !== true || !(traits.holder === 'parameter' || isFieldOfForm(traits, node)))
    return []
  if ((isInPath === true || isEmptyIgnored === true) && node.isRoot) return [null, '']
  const types = typesOfText(old, sender)
  const isDivided =
    node.isRoot &&
    lists?.includes('nested') !== true &&
    types.some((type) => type === 'array' || type === 'object')
  return types.includes('string') || isDivided ? [null] : []
}

/**
 * Lists and objects that REST cannot carry, as a schema. An empty list has no text if its first item may be an empty
 * text (`isEmptyList` of the runtime). An object without members has none if its members have names of their own.
 * Members that no schema declares are texts, and have no query name if the object accepts no others.
 */
function undivided(walk: SchemaWalk): Json | undefined {
  const { old, sender, traits, node, isRequest } = walk
  const isField = isFieldOfForm(traits, node)
  const [style] = traits.lists?.split(' ') ?? []
  if (!isRequest || traits.isLoose !== true || style === undefined || (!node.isRoot && !isField))
    return undefined
  const { types, items, prefix = [], properties = {}, values } = coercedBy(old, sender)
  if (types.includes('array')) {
    const first = (prefix[0] ?? items)?.types ?? ['string']
    // No text is a list or an object within a list. A form has JSON for them.
    const isOfParts = prefix.length === 0 && first.length > 0 && first.every(isContainer)
    if (isOfParts && !isField && style !== 'nested') return { type: 'array', minItems: 1 }
    const isTextOrNull = first.includes('string') || first.includes('null')
    return style !== 'nested' && isTextOrNull ? { type: 'array', maxItems: 0 } : undefined
  }
  if (isField || !types.includes('object')) return undefined
  const others: Json = { type: [...(values?.types ?? ['string']), ...(style === 'nested' ? ['object'] : [])] }
  const isClosed = style === 'repeated' && !takesOtherNames(old, sender)
  const carried: JsonObject = {
    properties: objectOf(Object.keys(properties).map((name) => [name, true])),
    additionalProperties: isClosed ? false : others,
    ...(style !== 'joined' && { minProperties: 1 }),
  }
  return { type: 'object', not: carried }
}

/**
 * Whether REST carries only texts although the sender's schema accepts other values, because a parameter or a form
 * field has no type. Inside a field, brackets may make an object.
 */
function isTextAlone({ old, sender, traits, node, isRequest }: SchemaWalk): boolean {
  const isWhole = traits.holder === 'parameter' ? node.isRoot : isFieldOfForm(traits, node)
  const isText = isWhole && traits.isLoose === true
  return isRequest && isText && saysNoType(old, sender)
}

/** Whether a node is a form field, not a value inside one. */
function isFieldOfForm({ holder, lists }: Traits, { isRoot }: SchemaNode): boolean {
  return holder === 'body' && lists !== undefined && !isRoot
}
