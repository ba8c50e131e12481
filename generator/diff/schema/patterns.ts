import { contains } from '../../contains/contains.js'
import type { Json } from '../../document/document.js'

export type Analysis = 'generalized' | 'changed'

/**
 * Whether the new pattern accepts every text. Whether it accepts what the old one accepted is decided for the whole
 * schema.
 */
export function analysePattern(old: Json | undefined, fresh: Json | undefined): Analysis {
  if (typeof old !== 'string' || typeof fresh !== 'string') return 'changed'
  const schema = (pattern: string) => ({ type: 'string', pattern })
  const { verdict } = contains({ type: 'string' }, schema(fresh), { dialect: '2020-12' })
  return verdict === 'contained' ? 'generalized' : 'changed'
}
