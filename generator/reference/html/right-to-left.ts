/**
 * Words of scripts that are written from right to left, with what joins them to a text or a name. Their blocks are
 * those of the bidirectional classes R and AL by default (Unicode, DerivedBidiClass.txt).
 */
const letters = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+`
const words = new RegExp(`(${letters}(?:[ _-]+${letters})*)`, 'u')

/**
 * The parts of code or of a path: each second one is of words from right to left. Without a boundary, marks between two
 * such parts would run from right to left too (Unicode Bidirectional Algorithm, N1): segments of a path would change
 * their order.
 */
export function directionParts(text: string): string[] {
  return text.split(words)
}
