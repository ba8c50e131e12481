/**
 * Escapes of letters without a meaning in ECMAScript. Without the u flag each means its letter (ECMA-262,
 * Annex B.1.2); in another language it is an anchor, a class or a character.
 */
export function foreignEscapes(pattern: string): string[] {
  if (isUnicodePattern(pattern)) return []
  const escapes = [...pattern.matchAll(/\\([\s\S])/g)].map(([written]) => written)
  return [...new Set(escapes)].filter((written) => /[A-Za-z]/.test(written) && !known.test(written))
}

/** Those that are anchors elsewhere: here the pattern would require letters that the author did not mean. */
export function foreignAnchors(pattern: string): string[] {
  return foreignEscapes(pattern).filter((written) => /[AzZG]/.test(written))
}

/**
 * Where a pattern switches flags, such as `(?i)` and `(?i:`. Newer engines of JavaScript support the second
 * form (ECMAScript 2025), older ones neither: a document's meaning must not depend on the engine.
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
