import type { Json } from '../../load/document.js'
import { saysNoType, typesOfText } from './coerced.js'
import type { SchemaWalk } from './walk.js'

/**
 * Values of a parameter that REST cannot carry. The binder never reads null if the schema accepts strings too, routers reject
 * an empty path segment, and an empty query parameter that may be empty counts as left out.
 */
export function unwritten({ old, sender, traits, node, isRequest }: SchemaWalk): readonly Json[] {
  const { holder, isLoose, isInPath, isEmptyIgnored } = traits
  if (!isRequest || holder !== 'parameter' || isLoose !== true) return []
  if ((isInPath === true || isEmptyIgnored === true) && node.isRoot) return [null, '']
  return typesOfText(old, sender).includes('string') ? [null] : []
}

/**
 * Whether REST carries texts alone, although the sender's schema takes other values: it names no type of a parameter. Brackets may
 * make an object of what is within one.
 */
export function isTextAlone({ old, sender, traits, node, isRequest }: SchemaWalk): boolean {
  const isText = traits.holder === 'parameter' && traits.isLoose === true && node.isRoot
  return isRequest && isText && saysNoType(old, sender)
}
