/**
 * The flags a pattern is run with: u, as AJV has it, or none where only that compiles, as for `^[\w-.]+$`. What
 * compiles with neither is left with u, so that whoever compiles it says why it does not.
 */
export function patternFlags(source: string): 'u' | '' {
  return compiles(source, 'u') || !compiles(source, '') ? 'u' : ''
}

/** How AJV is to compile patterns, given as its option `code.regExp`. */
export const regExp = Object.assign((source: string): RegExp => new RegExp(source, patternFlags(source)), {
  code: 'patternRegExp',
})

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}
