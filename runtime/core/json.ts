import { parse } from 'lossless-json'
import { isCertain, isExact } from './decimal.js'
import { ProblemError } from './problem.js'
import { pointerTo } from './violations.js'

/** Deepest nesting of arrays and objects that is read. */
export const MAX_DEPTH = 64

export interface Json {
  readonly value: unknown
  /** JSON pointers (RFC 6901) of the numbers that a double does not hold exactly. */
  readonly inexact: readonly string[]
  /** True: a body parser has read it, and the inexact numbers are those whose digits may be gone. */
  readonly isRounded?: boolean
}

/** Reads JSON text. Throws a ProblemError `parse_error` for what is malformed or nested too deep. */
export function parseJson(text: string): Json {
  if (text.length > 2 * MAX_DEPTH && nestsTooDeep(text)) throw tooDeep()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProblemError('parse_error', { detail: 'The text is not valid JSON (RFC 8259).' })
  }
  // RFC 7493 section 2.3: of a name that stands twice, another reader of the same text might take the other value.
  if (typeof value === 'object' && namesIn(text) !== namesOf(value)) {
    throw new ProblemError('parse_error', { detail: 'A name stands twice in an object.' })
  }
  return { value, inexact: mayBeInexact.test(text) ? inexactNumbers(text) : NONE }
}

/** Refuses a value that something else has parsed where it nests deeper than {@link parseJson} reads. */
export function checkDepth(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw tooDeep()
  for (const key of Object.keys(value)) checkDepth(Reflect.get(value, key), depth + 1)
}

/** JSON pointers of the numbers of a value that something else has parsed, perhaps from more digits. */
export function uncertainNumbers(value: unknown): readonly string[] {
  const pointers: string[] = []
  collect(value, (each) => typeof each === 'number' && !isCertain(each), '', pointers)
  return pointers
}

const NONE: readonly string[] = []

/** 16 digits in a row, or an exponent of three: less than that, every double holds. Strings may match too. */
const mayBeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** A cheap look at the text alone, so that nothing recursive ever meets a nesting bomb. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = endOfString(text, i)
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--
    }
  }
  return false
}

/** How many names of members stand in a text that is JSON: outside of strings each has a colon, and nothing else does. */
function namesIn(text: string): number {
  let names = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COLON) names++
  }
  return names
}

/** How many members there are in what has been read of it. */
function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let names = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) names += namesOf(value[i])
    return names
  }
  for (const key of Object.keys(value)) names += 1 + namesOf(Reflect.get(value, key))
  return names
}

const QUOTE = 34
const COLON = 58
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Index of the quote that ends the string which starts at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function tooDeep(): ProblemError {
  return new ProblemError('parse_error', { detail: `JSON may nest ${MAX_DEPTH} levels deep.` })
}

class Inexact {}

function inexactNumbers(text: string): readonly string[] {
  const marked = parse(text, undefined, {
    parseNumber: (token) => (isExact(token) ? 0 : new Inexact()),
  })
  const pointers: string[] = []
  collect(marked, (each) => each instanceof Inexact, '', pointers)
  return pointers
}

function collect(
  value: unknown,
  isSought: (value: unknown) => boolean,
  pointer: string,
  pointers: string[],
): void {
  if (isSought(value)) {
    pointers.push(pointer)
  } else if (Array.isArray(value)) {
    // No key needs escaping, and there may be very many.
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i]
      if (isSought(item)) pointers.push(`${pointer}/${i}`)
      else if (typeof item === 'object' && item !== null) collect(item, isSought, `${pointer}/${i}`, pointers)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      collect(Reflect.get(value, key), isSought, pointerTo(pointer, key), pointers)
    }
  }
}
