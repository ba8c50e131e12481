import { foreignAnchors, inlineFlags } from './foreign-escape.js'

/**
 * Whether a text is an ECMA-262 regular expression, with or without the u flag, without another language's
 * anchors and without switching flags.
 */
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
