/**
 * Escapes of letters that mean nothing in ECMAScript. Without the u flag each stands for its letter (ECMA-262, Annex B.1.2),
 * where another language has an anchor, a class or a character by that name.
 */
export function foreignEscapes(pattern: string): string[] {
  if (isUnicodePattern(pattern)) return []
  const escapes = [...pattern.matchAll(/\\([\s\S])/g)].map(([written]) => written)
  return [...new Set(escapes)].filter((written) => /[A-Za-z]/.test(written) && !known.test(written))
}

/** Of these the ones that are anchors elsewhere, so that the pattern would demand letters that nobody means. */
export function foreignAnchors(pattern: string): string[] {
  return foreignEscapes(pattern).filter((written) => /[AzZG]/.test(written))
}

/**
 * Where a pattern switches flags, as `(?i)` and `(?i:`. Newer engines of JavaScript know the second form (ECMAScript 2025) and older ones
 * neither: what a document means must not depend on who runs it.
 */
export function inlineFlags(pattern: string): string[] {
  const bare = pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\\\]])*\]/g, '_')
  return [...new Set(bare.match(/\(\?(?=[a-z-]*[a-z])[a-z]*(?:-[a-z]*)?[:)]/gi) ?? [])]
}

const known = /[bBcdDfknrsStuvwWx]/

function isUnicodePattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
