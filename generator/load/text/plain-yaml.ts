import type { Json } from '../../document/document.js'
import { type MutableObject, setOwn } from '../../document/json.js'
import { noteDigits } from '../../document/written-digits.js'
import { FlowReader } from './yaml-flow.js'
import { folded, foldedBlock, unquoted, withoutBlanks } from './yaml-scalars.js'
import {
  apostrophe,
  colon,
  dash,
  hash,
  newline,
  type Offsets,
  openBrace,
  openBracket,
  quote,
  space,
  unusual,
} from './yaml-scanner.js'

/** The value of a text, and the position of every part. */
export interface PlainYaml {
  readonly value: Json
  /** Offset of the key (in a list: of the item) at a path, or of its nearest ancestor. */
  readonly offsetAt: (segments: readonly string[]) => number
}

/**
 * Reads the YAML that nearly all documents use: block maps and lists of scalars, and flow collections, with
 * unique keys. Undefined for anything else, errors included: anchors, aliases, tags, directives, tabs, other
 * line ends. The package `yaml` decides everything unusual. Tests show that both agree on the rest. Large
 * documents take a fraction of the package's time.
 */
export function readPlainYaml(text: string): PlainYaml | undefined {
  if (/^\uFEFF|^\.\.\.(?!\S)/.test(text) || text.includes('\r')) return undefined
  if (['\n---', '\n...'].some((mark) => text.includes(mark))) return undefined
  try {
    return new Reader(text).read()
  } catch (error) {
    if (error === unusual) return undefined
    throw error
  }
}

/** Characters that start no plain scalar here. In YAML some of them may, depending on the next one. */
const indicators = new Set('?:,[]{}#&*!|>\'"%@`\t')

class Reader extends FlowReader {
  read(): PlainYaml {
    if (/^---\s/.test(this.text)) this.toContent('---'.length)
    else this.toContent(0, true)
    const start = this.at
    if (this.column === -1) throw unusual
    const value = this.#node(-1)
    const root = this.places
    if (root === undefined || this.column !== -1) throw unusual
    return { value, offsetAt: (segments) => offsetAt(root, start, segments) }
  }

  /** Whether an entry of a list begins here. */
  #isEntry(): boolean {
    if (this.text.charCodeAt(this.at) !== dash) return false
    const next = this.text.charCodeAt(this.at + 1)
    return next === space || next === newline || this.at + 1 === this.text.length
  }

  /** The node at `at`, in a parent with the indentation `parent`. */
  #node(parent: number): Json {
    this.places = undefined
    if (this.#isEntry()) return this.#list(this.column)
    const first = this.text.charCodeAt(this.at)
    if (first === openBrace || first === openBracket) return this.flow(parent)
    const isQuoted = first === quote || first === apostrophe
    if (this.#keyEnd(isQuoted) !== -1) return this.#map(this.column)
    return isQuoted ? this.#quoted(parent) : this.#plain(parent)
  }

  #map(column: number): Json {
    this.enter()
    const object: MutableObject = {}
    const places: Offsets = []
    do {
      const start = this.at
      const first = this.text.charCodeAt(start)
      const isQuoted = first === quote || first === apostrophe
      const end = this.#keyEnd(isQuoted)
      if (end === -1 || this.#isEntry()) throw unusual
      const written = this.text.slice(start, end)
      if (written.endsWith(' ')) throw unusual
      const key = isQuoted ? unquoted(written) : written
      if (key === undefined || key === '<<' || Object.hasOwn(object, key)) throw unusual
      this.at = end + 1
      const value = this.#value(column, true)
      setOwn(object, key, value)
      if (typeof value === 'number') noteDigits(object, key, this.number)
      places.push(key, start, this.places)
    } while (this.column === column)
    if (this.column > column) throw unusual
    this.leave(places)
    return object
  }

  #list(column: number): Json {
    this.enter()
    const list: Json[] = []
    const places: Offsets = []
    do {
      this.at++
      const value = this.#value(column, false)
      list.push(value)
      if (typeof value === 'number') noteDigits(list, list.length - 1, this.number)
      places.push(null, this.#start, this.places)
    } while (this.column === column && this.#isEntry())
    if (this.column > column) throw unusual
    this.leave(places)
    return list
  }

  /** Start of the value that was read last. */
  #start = 0

  /** The value after the `:` of a key or the `-` of an entry. */
  #value(column: number, isMember: boolean): Json {
    const text = this.text
    const behind = this.at
    while (text.charCodeAt(this.at) === space) this.at++
    const first = text.charCodeAt(this.at)
    let start = this.at
    this.places = undefined
    let value: Json
    if (this.at >= text.length || first === newline || first === hash) {
      this.toContent(behind)
      start = this.at
      if (this.column > column) value = this.#node(column)
      else if (isMember && this.column === column && this.#isEntry()) value = this.#list(column)
      // An empty item would have no position.
      else if (isMember) value = null
      else throw unusual
    } else if (first === 0x7c || first === 0x3e) value = this.#blockScalar(column, isMember)
    else if (!isMember) {
      this.column = this.at - this.line
      value = this.#node(column)
    } else if (first === quote || first === apostrophe) value = this.#quoted(column)
    else if (first === openBrace || first === openBracket) value = this.flow(column)
    else if (this.#isEntry()) throw unusual
    else value = this.#plain(column)
    this.#start = start
    return value
  }

  /** Offset of the colon after a key that begins here. -1 if there is none. */
  #keyEnd(isQuoted: boolean): number {
    const text = this.text
    let from = this.at
    if (isQuoted) {
      from = this.endOfQuoted(this.at) + 1
      if (from > this.endOfLine(this.at)) return -1
      while (text.charCodeAt(from) === space) from++
      if (text.charCodeAt(from) !== colon) return -1
    } else if (indicators.has(text[this.at] ?? '')) throw unusual
    const end = this.#separator(from)
    // The separator of another line may be far away.
    if (end - from > 1000 && this.endOfLine(from) < end) return -1
    const key = text.slice(from, end)
    if (/[\n\t#]/.test(key)) {
      if (key.includes('\n') || key.includes(' #')) return -1
      if (key.includes('\t')) throw unusual
    }
    if (end === text.length) return -1
    if (key.length > 1000 || (isQuoted && key !== '')) throw unusual
    return end
  }

  /** Offset of the first colon from here on that ends a key. The text's length if there is none. */
  #separator(from: number): number {
    if (this.#colon >= from) return this.#colon
    const text = this.text
    let at = text.indexOf(':', from)
    for (; at !== -1; at = text.indexOf(':', at + 1)) {
      const next = text.charCodeAt(at + 1)
      if (next === space || next === newline || at + 1 === text.length) break
    }
    this.#colon = at === -1 ? text.length : at
    return this.#colon
  }

  /** The separator that was found last. */
  #colon = -1

  /** A plain scalar, including the following lines with more indentation than `parent`. */
  #plain(parent: number): Json {
    const text = this.text
    if (indicators.has(text[this.at] ?? '')) throw unusual
    const lines: string[] = []
    let at = this.at
    for (;;) {
      const end = this.endOfLine(at)
      const line = text.slice(at, end)
      const comment = line.indexOf(' #')
      const scalar = comment === -1 ? line : line.slice(0, comment)
      if (this.#separator(at) < at + scalar.length || scalar.includes('\t')) throw unusual
      lines.push(withoutBlanks(scalar))
      if (comment !== -1) {
        this.toContent(at + comment)
        break
      }
      this.toContent(end)
      if (this.column <= parent || text.charCodeAt(this.at) === hash) break
      const between = text.slice(end + 1, this.line)
      if (/[^ \n]/.test(between)) break
      for (let blank = between.indexOf('\n'); blank !== -1; blank = between.indexOf('\n', blank + 1))
        lines.push('')
      at = this.at
    }
    if (lines.length > 1) return folded(lines)
    return this.plain(lines[0] ?? '')
  }

  #quoted(parent: number): Json {
    const end = this.endOfQuoted(this.at)
    const value = this.unquotedTo(end, parent)
    this.toContent(end + 1)
    return value
  }

  /** The text after `|` or `>`, with the indentation of its first line, or that of the header. */
  #blockScalar(parent: number, isMember: boolean): Json {
    const text = this.text
    const end = this.endOfLine(this.at)
    const header = /^([|>])(?:([1-9])([+-]?)|([+-]?)) *(?: #.*)?$/.exec(text.slice(this.at, end))
    if (header === null || end === text.length) throw unusual
    const [, style, digit, sign, chomping = sign] = header
    // An indentation digit is only unambiguous in a map, and only literal lines may begin with blanks.
    if (digit !== undefined && !(isMember && style === '|')) throw unusual
    const lines: string[] = []
    let indent = digit === undefined ? -1 : parent + Number(digit)
    let widest = 0
    let blank = 0
    let at = end + 1
    for (; at < text.length; at = this.endOfLine(at) + 1) {
      let content = at
      while (text.charCodeAt(content) === space) content++
      const isBlank = content >= text.length || text.charCodeAt(content) === newline
      // The package decides differently which of these lines are content.
      if (isBlank && digit !== undefined && content - at > indent) throw unusual
      if (isBlank && indent === -1) widest = Math.max(widest, content - at)
      // Blanks beyond the indentation are content.
      if (isBlank && (indent === -1 || content - at <= indent)) {
        blank++
        continue
      }
      if (indent === -1 && content - at > parent) indent = content - at
      if (indent === -1 || content - at < indent) break
      for (; blank > 0; blank--) lines.push('')
      lines.push(text.slice(at + indent, this.endOfLine(at)))
    }
    const isEmpty = lines.length === 0
    if (isEmpty ? blank === 0 : widest > indent) throw unusual
    if (chomping === '+' && at >= text.length) throw unusual
    const value = style === '|' ? lines.join('\n') : foldedBlock(lines)
    this.line = at
    this.column = -1
    if (at < text.length) this.toContent(at, true)
    const ends = chomping === '+' ? blank : 0
    return isEmpty ? '\n'.repeat(ends) : chomping === '-' ? value : value + '\n'.repeat(ends + 1)
  }
}

function offsetAt(root: Offsets, start: number, segments: readonly string[]): number {
  let places: Offsets | undefined = root
  let offset = start
  for (const segment of segments) {
    const at: number = places === undefined ? -1 : placeOf(places, segment)
    const found: Offsets[number] = places?.[at + 1]
    if (typeof found !== 'number') break
    offset = found
    places = places?.[at + 2] as Offsets | undefined
  }
  return offset
}

/** Where the place of a member begins. -1 if there is no such member. */
function placeOf(places: Offsets, segment: string): number {
  if (places[0] === null) return 3 * Number(segment)
  for (let at = 0; at < places.length; at += 3) if (places[at] === segment) return at
  return -1
}
