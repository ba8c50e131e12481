import { cut } from './problem-size.js'

/** Longest pointer in a report, in characters. */
export const MAX_PATH = 200

/** Appends one token to a JSON pointer (RFC 6901, section 3). A pointer that is too long ends in `…`. */
export function pointerTo(parent: string, token: string): string {
  if (parent.length > MAX_PATH) return parent
  const read = token.length > MAX_PATH ? token.slice(0, MAX_PATH) : token
  return cut(`${parent}/${read.includes('~') || read.includes('/') ? escaped(read) : read}`, MAX_PATH)
}

/** The tokens of a complete JSON pointer. */
export function tokensOf(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}
