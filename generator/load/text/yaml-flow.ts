import type { Json } from '../../document/document.js'
import { type MutableObject, setOwn } from '../../document/json.js'
import { noteDigits } from '../../document/written-digits.js'
import { plainValue } from './yaml-scalars.js'
import {
  apostrophe,
  closeBrace,
  closeBracket,
  colon,
  comma,
  newline,
  type Offsets,
  openBrace,
  openBracket,
  quote,
  space,
  unusual,
  YamlScanner,
} from './yaml-scanner.js'

/** A plain scalar of one line in a flow collection. */
const flowScalar =
  /(?:[^\s?:,[\]{}#&*!|>'"%@`-]|-(?=[^\s,[\]{}:#-]))(?:[^\s:,[\]{}#]| (?=[^\s:,[\]{}#])|:(?=[^\s,[\]{}]))*/y

/** Reads flow collections. */
export class FlowReader extends YamlScanner {
  protected flow(parent: number): Json {
    const value = this.#flowValue(parent)
    const places = this.places
    this.toContent(this.at)
    this.places = places
    return value
  }

  /** A flow value at `at`. Moves `at` behind it. */
  #flowValue(parent: number): Json {
    const first = this.text.charCodeAt(this.at)
    this.places = undefined
    if (first === openBrace || first === openBracket) return this.#flowCollection(parent, first)
    if (first === quote || first === apostrophe) {
      const end = this.endOfQuoted(this.at)
      const value = this.unquotedTo(end, parent)
      this.at = end + 1
      return value
    }
    return this.plain(this.#flowText())
  }

  /** The text of the number that was read last. */
  protected number = ''

  /** The value of a plain scalar. */
  protected plain(text: string): Json {
    const value = plainValue(text)
    if (value === undefined) throw unusual
    if (typeof value === 'number') this.number = text
    return value
  }

  #flowCollection(parent: number, open: number): Json {
    this.enter()
    const object: MutableObject = {}
    const list: Json[] = []
    const places: Offsets = []
    const isMap = open === openBrace
    this.at++
    for (;;) {
      this.#skip(parent)
      const start = this.at
      const first = this.text.charCodeAt(start)
      let key: string | null = null
      if (first === (isMap ? closeBrace : closeBracket)) break
      if (isMap) {
        key = this.#flowKey(parent)
        if (Object.hasOwn(object, key)) throw unusual
        this.#skip(parent)
        const value = this.#flowValue(parent)
        setOwn(object, key, value)
        if (typeof value === 'number') noteDigits(object, key, this.number)
      } else {
        const value = this.#flowValue(parent)
        list.push(value)
        if (typeof value === 'number') noteDigits(list, list.length - 1, this.number)
      }
      places.push(key, start, this.places)
      this.#skip(parent)
      if (this.text.charCodeAt(this.at) === comma) this.at++
      else if (this.text.charCodeAt(this.at) !== (isMap ? closeBrace : closeBracket)) throw unusual
    }
    this.at++
    this.leave(places)
    return isMap ? object : list
  }

  #flowKey(parent: number): string {
    const first = this.text.charCodeAt(this.at)
    const isQuoted = first === quote || first === apostrophe
    const end = isQuoted ? this.endOfQuoted(this.at) : -1
    if (isQuoted && this.endOfLine(this.at) < end) throw unusual
    const key = isQuoted ? this.unquotedTo(end, parent) : this.#flowText()
    if (isQuoted) this.at = end + 1
    while (this.text.charCodeAt(this.at) === space) this.at++
    const next = this.text.charCodeAt(this.at + 1)
    if (this.text.charCodeAt(this.at) !== colon || key === '<<' || key.length > 1000) throw unusual
    if (next !== space && next !== newline) throw unusual
    this.at++
    return key
  }

  /** A plain scalar in a flow collection, on one line. */
  #flowText(): string {
    flowScalar.lastIndex = this.at
    const text = flowScalar.exec(this.text)?.[0]
    if (text === undefined) throw unusual
    this.at += text.length
    return text
  }

  /** Skips blanks and line ends in a flow collection. Each line has more indentation than `parent`. */
  #skip(parent: number): void {
    for (; ; this.at++) {
      const next = this.text.charCodeAt(this.at)
      if (next === newline) this.line = this.at + 1
      else if (next !== space) break
    }
    if (this.text.slice(this.line, this.at).trim() === '' && this.at - this.line <= parent) throw unusual
  }
}
