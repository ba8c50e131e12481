import type { Json } from '../../load/document.js'
import { typesOfText } from './coerced.js'
import type { SchemaWalk } from './walk.js'

/**
 * Values of a parameter that REST cannot carry. The binder never reads null if the schema accepts strings too, and routers reject
 * an empty path segment.
 */
export function unwritten({ old, sender, traits, node, isRequest }: SchemaWalk): readonly Json[] {
  const { holder, isLoose, isInPath } = traits
  if (!isRequest || holder !== 'parameter' || isLoose !== true) return []
  if (isInPath === true && node.isRoot) return [null, '']
  return typesOfText(old, sender).includes('string') ? [null] : []
}
