/** What a scan of JSON text finds before it is parsed. */
export interface Outline {
  /** Levels of arrays and objects, counted up to the limit. */
  readonly depth: number
  /** Number of member names, if the text is JSON: outside of strings, colons occur only after names. */
  readonly names: number
  /** Upper bound of values and names, by the brackets, commas and colons outside of strings. */
  readonly values: number
  /** Whether it has numbers that a double may not hold: 16 characters long, or with an exponent. */
  readonly hasLongNumbers: boolean
}

/** Scans a text once, so that no recursive code ever meets a nesting bomb. Stops at a limit. */
export function outlineOf(text: string, mostDepth: number, mostValues: number): Outline {
  let level = 0
  let depth = 0
  let names = 0
  let values = 1
  let hasLongNumbers = false
  let spaces = 0
  const { length } = text
  for (let i = 0; values <= mostValues && i < length; i++) {
    const code = text.charCodeAt(i)
    if (code <= SPACE) {
      spaces++
      if (spaces % SPACES_FOR_A_CALL === 0) i = endOfSpace(text, i) - 1
      continue
    }
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COMMA) values++
    else if (code === COLON) {
      names++
      values++
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level++
      values++
      if (level > depth) depth = level
      if (depth > mostDepth) break
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) level--
    else if (beginsNumber(code)) {
      const end = endOfNumber(text, i)
      hasLongNumbers ||= isLongNumber(text, i, end)
      i = end - 1
    }
  }
  return { depth, names, values, hasLongNumbers }
}

export function beginsNumber(code: number): boolean {
  return code === MINUS || (code >= ZERO && code <= NINE)
}

/** Index after the number that starts at `start`. The text's grammar is checked elsewhere. */
export function endOfNumber(text: string, start: number): number {
  for (let end = start; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code < PLUS || code === COMMA || (code > NINE && code !== UPPER_E && code !== LOWER_E)) return end
  }
  return text.length
}

/**
 * Whether a double may round the number from `start` to `end`. Doubles hold 15 digits without an exponent
 * exactly.
 */
export function isLongNumber(text: string, start: number, end: number): boolean {
  if (end - start >= 16) return true
  // Of a number's characters only the exponent's letter has a higher code than the digits.
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > NINE) return true
  return false
}

/** Index of the quote that ends the string at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** Index of the first character from `start` that is not space. Faster than a loop if it is far. */
function endOfSpace(text: string, start: number): number {
  NOT_SPACE.lastIndex = start
  return NOT_SPACE.test(text) ? NOT_SPACE.lastIndex - 1 : text.length
}

const NOT_SPACE = /[^\0- ]/g
/** A call takes as long as looking at some 30 characters. */
const SPACES_FOR_A_CALL = 64
const SPACE = 32
const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const ZERO = 48
const NINE = 57
const COLON = 58
const UPPER_E = 69
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const LOWER_E = 101
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
