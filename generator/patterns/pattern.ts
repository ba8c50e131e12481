import { foreignAnchors, inlineFlags } from './foreign-escape.js'

/** Whether a text is a regular expression of ECMA-262, with the u flag or without, and has no other language's anchors. One that switches flags is none. */
export function isPattern(source: string): boolean {
  return isRegExp(source, 'u') || (isRegExp(source, '') && foreignAnchors(source).length === 0)
}

export function isRegExp(source: string, flags: string): boolean {
  if (inlineFlags(source).length > 0) return false
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}
