/**
 * A set of strings, in negation normal form. Each distinct expression is one object, so identity means
 * equality.
 *
 * words: exactly these. pattern: strings in which the regular expression finds a match. format: strings that
 * ajv-formats accepts. length: code points, both bounds inclusive. complement: of a pattern, a format or
 * words.
 */
export type Language = { readonly id: number } & (
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'length'; readonly min: number; readonly max: number }
  | { readonly kind: 'complement'; readonly part: Language }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Language[] }
)

/** Creates the languages that formats consist of. */
export interface LanguageMaker {
  readonly none: Language
  readonly any: Language
  pattern(source: string, flags?: string): Language
  length(min: number, max: number): Language
  and(parts: Iterable<Language>): Language
  or(parts: Iterable<Language>): Language
}

/** The length in JSON Schema: code points, where a lone surrogate counts as one. */
export function codePoints(word: string): number {
  let count = 0
  for (const _ of word) count += 1
  return count
}
