import type { Json } from '../../load/document.js'
import { typesOfText } from './coerced.js'
import type { SchemaWalk } from './walk.js'

/**
 * Values of a parameter that nobody sends over REST, since no text is read as them: null where the schema takes texts, too, and
 * in a path the empty text, which routers take for no value.
 */
export function unwritten({ old, sender, traits, node, isRequest }: SchemaWalk): readonly Json[] {
  const { holder, isLoose, isInPath } = traits
  if (!isRequest || holder !== 'parameter' || isLoose !== true) return []
  if (isInPath === true && node.isRoot) return [null, '']
  return typesOfText(old, sender).includes('string') ? [null] : []
}
