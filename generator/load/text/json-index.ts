import { endOfNumber, isExact, isLongNumber } from 'duet-runtime/json'
import { maximumDepth } from './parsed.js'

/**
 * The start and end of each object and array of a JSON text, in order of their starts. Consecutive numbers
 * replace a tree of nodes: a document of megabytes would have half a million of them, and few are ever asked
 * for.
 */
export class JsonIndex {
  /** Offset of the first bracket beyond the allowed depth. Everything after it is unread. */
  readonly tooDeep: number | undefined
  /** The number of members of all objects, including duplicates. */
  readonly members: number
  /** Whether there is a number that a double does not hold. */
  readonly isRounded: boolean
  readonly #text: string
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** For each container, how many have started before it ends. */
  readonly #next: number[] = []
  readonly #children = new Map<number, Children>()

  constructor(text: string) {
    this.#text = text
    const open: number[] = []
    let members = 0
    let tooDeep: number | undefined
    let isRounded = false
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (character === quote) at = endOfString(text, at)
      else if (character === colon) members++
      else if (character === openBrace || character === openBracket) {
        if (open.length === maximumDepth) {
          tooDeep = at
          break
        }
        open.push(this.#starts.push(at) - 1)
        this.#ends.push(text.length)
        this.#next.push(0)
      } else if (character === closeBrace || character === closeBracket) {
        const closed = open.pop()
        if (closed === undefined) continue
        this.#ends[closed] = at
        this.#next[closed] = this.#starts.length
      } else if (character >= zero && character <= nine) {
        const end = endOfNumber(text, at)
        isRounded ||= isLongNumber(text, at, end) && !isExact(text.slice(at, end))
        at = end - 1
      }
    }
    this.members = members
    this.tooDeep = tooDeep
    this.isRounded = isRounded
  }

  /**
   * Offset of the key (in an array: of the element) at a path, or of its nearest ancestor. The text must be
   * valid JSON. Of a duplicate key it is the last.
   */
  offsetAt(segments: readonly string[]): number {
    let offset = skipSpace(this.#text, 0)
    let container = offset === this.#starts[0] ? 0 : undefined
    for (const segment of segments) {
      const child: Child | undefined = container === undefined ? undefined : this.#child(container, segment)
      if (child === undefined) return offset
      offset = child.offset
      container = child.container
    }
    return offset
  }

  #child(container: number, segment: string): Child | undefined {
    let children = this.#children.get(container)
    if (children === undefined) {
      children = this.#read(container)
      this.#children.set(container, children)
    }
    return children instanceof Map ? children.get(segment) : children[Number(segment)]
  }

  #read(container: number): Children {
    const text = this.#text
    const elements: Child[] = []
    const members = new Map<string, Child>()
    const start = this.#starts[container] ?? 0
    const isObject = text.charCodeAt(start) === openBrace
    const end = this.#ends[container] ?? 0
    let inner = container + 1
    for (let at = skipSpace(text, start + 1); at < end; at = skipSpace(text, at + 1)) {
      const offset = at
      let key = ''
      if (isObject) {
        const close = endOfString(text, at)
        key = keyOf(text.slice(at, close + 1))
        at = skipSpace(text, skipSpace(text, close + 1) + 1)
      }
      const child = this.#starts[inner] === at ? { offset, container: inner } : { offset }
      if (child.container !== undefined) {
        at = this.#ends[inner] ?? end
        inner = this.#next[inner] ?? inner
      }
      if (isObject) members.set(key, child)
      else elements.push(child)
      at = endOfValue(text, at, end)
    }
    return isObject ? members : elements
  }
}

interface Child {
  readonly offset: number
  /** The number of the object or array, if the value is one. */
  readonly container?: number
}

type Children = readonly Child[] | Map<string, Child>

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [zero, nine] = [0x30, 0x39]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Offset of the closing quote of the string that begins at `start`. The text's length if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

/** Offset of the comma after the value at `at`, or `end`. */
function endOfValue(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const character = text.charCodeAt(at)
    if (character === comma) return at
    if (character === quote) at = endOfString(text, at)
  }
  return end
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

function keyOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}
