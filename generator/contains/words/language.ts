/**
 * A set of strings, in negation normal form. One object stands for each distinct expression, so that identity
 * is equality.
 *
 * words: exactly these. pattern: what the regular expression finds a match in. format: what ajv-formats takes.
 * length: code points, both bounds inclusive. complement: of a pattern, a format or words.
 */
export type Language = { readonly id: number } & (
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'length'; readonly min: number; readonly max: number }
  | { readonly kind: 'complement'; readonly part: Language }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Language[] }
)

/** Makes the languages that formats consist of. */
export interface LanguageMaker {
  readonly none: Language
  readonly any: Language
  pattern(source: string, flags?: string): Language
  length(min: number, max: number): Language
  and(parts: Iterable<Language>): Language
  or(parts: Iterable<Language>): Language
}

/** The length JSON Schema counts: code points, a lone surrogate being one. */
export function codePoints(word: string): number {
  let count = 0
  for (const _ of word) count += 1
  return count
}
