import { maximumDepth } from './parsed.js'
import { unquoted } from './yaml-scalars.js'

/**
 * The positions of a collection's members, in order: for each its key (null in a list), its offset, and the positions
 * in it if it is a collection too. One array, because a large document has a hundred thousand collections.
 */
export type Offsets = (string | null | number | Offsets | undefined)[]

/** Thrown if the package `yaml` must read the text. */
export const unusual = new Error('this is left to the package yaml')

export const [newline, space, hash, quote, apostrophe, comma, dash, colon] = [10, 32, 35, 34, 39, 44, 45, 58]
export const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

/** A position in a YAML text, with methods that move it over lines, blanks and quotes. */
export class YamlScanner {
  /** Where reading continues. Between two values of a block: the first significant character of a line. */
  protected at = 0
  /** Offset of the current line, and the column of `at` in it. -1 behind the last line. */
  protected line = 0
  protected column = 0
  /** The places in the last value, if it is a collection. */
  protected places: Offsets | undefined
  #depth = 0

  constructor(protected readonly text: string) {}

  /**
   * Moves from the end of a value over the rest of its line, and lines without content, to the line with the
   * next content.
   */
  protected toContent(from: number, isLine = false): void {
    const text = this.text
    for (let at = from; ; at++) {
      while (text.charCodeAt(at) === space) at++
      if (text.charCodeAt(at) === hash) {
        if (at > 0 && text.charCodeAt(at - 1) > space) throw unusual
        at = this.endOfLine(at)
      }
      if (at >= text.length) {
        this.at = text.length
        this.column = -1
        return
      }
      if (text.charCodeAt(at) === newline) {
        this.line = at + 1
        continue
      }
      if (this.line <= from && !isLine) throw unusual
      this.at = at
      this.column = at - this.line
      return
    }
  }

  protected endOfLine(at: number): number {
    const end = this.text.indexOf('\n', at)
    return end === -1 ? this.text.length : end
  }

  /** The value of the quoted text that ends at an offset. Its lines have more indentation than `parent`. */
  protected unquotedTo(end: number, parent: number): string {
    const written = this.text.slice(this.at, end + 1)
    let last = -1
    for (let at = written.indexOf('\n'); at !== -1; at = written.indexOf('\n', at + 1)) {
      last = this.at + at + 1
      let indent = 0
      while (written.charCodeAt(at + 1 + indent) === space) indent++
      if (written.charCodeAt(at + 1 + indent) !== newline && indent <= parent) throw unusual
    }
    const value = unquoted(written)
    if (value === undefined) throw unusual
    if (last !== -1) this.line = last
    return value
  }

  /** Offset of the closing quote of a text. */
  protected endOfQuoted(start: number): number {
    const text = this.text
    const mark = text[start] ?? ''
    for (let at = text.indexOf(mark, start + 1); at !== -1; at = text.indexOf(mark, at + 1)) {
      if (mark === "'") {
        if (text[at + 1] !== mark) return at
        at++
        continue
      }
      let before = at - 1
      while (text[before] === '\\') before--
      if ((at - before) % 2 === 1) return at
    }
    throw unusual
  }

  protected enter(): void {
    if (++this.#depth > maximumDepth) throw unusual
  }

  protected leave(places: Offsets): void {
    this.#depth--
    this.places = places
  }
}
