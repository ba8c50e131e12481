/** Whether a text is a regular expression of ECMA-262, with the u flag or without. */
export function isPattern(source: string): boolean {
  return isRegExp(source, 'u') || isRegExp(source, '')
}

export function isRegExp(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}
