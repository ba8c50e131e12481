import type { Json } from '../../load/document.js'
import { saysNoType, typesOfText } from './coerced.js'
import type { SchemaNode } from './node.js'
import type { Traits } from './subject.js'
import type { SchemaWalk } from './walk.js'

/**
 * Values of a parameter or of a form's field that REST cannot carry. The binder never reads null if the schema accepts strings,
 * lists or objects too, routers reject an empty path segment, and an empty query parameter that may be empty counts as left out.
 */
export function unwritten({ old, sender, traits, node, isRequest }: SchemaWalk): readonly Json[] {
  const { isLoose, isInPath, isEmptyIgnored, lists } = traits
  if (!isRequest || isLoose !== true || !(traits.holder === 'parameter' || isField(traits, node))) return []
  if ((isInPath === true || isEmptyIgnored === true) && node.isRoot) return [null, '']
  const types = typesOfText(old, sender)
  const isDivided =
    node.isRoot &&
    lists?.includes('nested') !== true &&
    types.some((type) => type === 'array' || type === 'object')
  return types.includes('string') || isDivided ? [null] : []
}

/**
 * Whether REST carries texts alone, although the sender's schema takes other values: it names no type of a parameter or of a
 * form's field. Brackets may make an object of what is within one.
 */
export function isTextAlone({ old, sender, traits, node, isRequest }: SchemaWalk): boolean {
  const isWhole = traits.holder === 'parameter' ? node.isRoot : isField(traits, node)
  const isText = isWhole && traits.isLoose === true
  return isRequest && isText && saysNoType(old, sender)
}

/** Whether a node is of a field of a form, not of what is within one. */
function isField({ holder, lists }: Traits, { isRoot }: SchemaNode): boolean {
  return holder === 'body' && lists !== undefined && !isRoot
}
