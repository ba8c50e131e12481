import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { Undecidable } from '../patterns/budget.js'
import { isRegExp } from '../patterns/pattern.js'
import { patternTest } from '../patterns/pattern-test.js'
import type { Random } from './random.js'

/**
 * A text of this length that matches an ECMA-262 regular expression. Undefined if none is found. Does not aim
 * for lookbehinds and negative assertions, but tests the result.
 */
export function matchingText(
  source: string,
  length: { readonly least: number; readonly most: number },
  random: Random,
): string | undefined {
  const flags = isRegExp(source, 'u') ? 'u' : ''
  const pattern = parsed(source, flags)
  if (pattern === undefined) return undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    const extra = Math.min(attempt < 4 ? 3 : Math.max(length.least, attempt), length.most, longest)
    const writer = new PatternWriter(random, flags, extra, attempt % 2 === 1)
    const found = writer.write(pattern)
    const count = found === undefined ? 0 : Array.from(found).length
    if (
      found !== undefined &&
      count >= length.least &&
      count <= length.most &&
      isMatch(source, flags, found)
    ) {
      return found
    }
  }
  return undefined
}

const attempts = 40

function isMatch(source: string, flags: string, text: string): boolean {
  try {
    return patternTest(source, flags)(text)
  } catch (error) {
    if (error instanceof Undecidable) return false
    throw error
  }
}

/** Maximum characters of a text. */
const longest = 20_000

function parsed(source: string, flags: string): AST.Pattern | undefined {
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags === 'u' })
  } catch {
    return undefined
  }
}

class PatternWriter {
  readonly #groups = new Map<AST.CapturingGroup, string>()
  #room = longest

  /**
   * @param extra repetitions beyond the necessary ones
   * @param ahead whether to write the text of a positive lookahead too
   */
  constructor(
    readonly random: Random,
    readonly flags: string,
    readonly extra: number,
    readonly ahead: boolean,
  ) {}

  /** Undefined if the text becomes too long or a class has no character. */
  write({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }): string | undefined {
    const elements = this.random.pick(alternatives)?.elements ?? []
    let text = ''
    for (const element of elements) {
      const part = this.#element(element)
      if (part === undefined) return undefined
      text += part
    }
    return text
  }

  #element(element: AST.Element): string | undefined {
    switch (element.type) {
      case 'Character':
        return this.#taken(String.fromCodePoint(element.value))
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#character(element)
      case 'Quantifier':
        return this.#repeated(element)
      case 'Group':
        return this.write(element)
      case 'CapturingGroup': {
        const text = this.write(element)
        if (text !== undefined) this.#groups.set(element, text)
        return text
      }
      case 'Backreference': {
        const [group] = [element.resolved].flat()
        return this.#taken((group && this.#groups.get(group)) ?? '')
      }
      case 'Assertion':
        return element.kind === 'lookahead' && !element.negate && this.ahead ? this.write(element) : ''
    }
  }

  #repeated({ element, min, max }: AST.Quantifier): string | undefined {
    const count = this.random.integer(min, Math.min(max, min + this.extra))
    let text = ''
    for (let done = 0; done < count; done++) {
      const part = this.#element(element)
      if (part === undefined) return done >= min ? text : undefined
      text += part
    }
    return text
  }

  #character(set: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass): string | undefined {
    const one = new RegExp(`^${set.raw}$`, this.flags)
    const ends = set.type === 'CharacterClass' ? set.elements.flatMap(endsOf) : []
    for (const pool of [readable, printable, ends, others]) {
      const fitting = pool.filter((character) => one.test(character))
      const found = this.random.pick(fitting)
      if (found !== undefined) return this.#taken(found)
    }
    return undefined
  }

  #taken(text: string): string | undefined {
    this.#room -= text.length
    return this.#room < 0 ? undefined : text
  }
}

function endsOf(element: AST.CharacterClassElement | AST.UnicodeSetsCharacterClassElement): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)]
  if (element.type !== 'CharacterClassRange') return []
  return [element.min, element.max].map(({ value }) => String.fromCodePoint(value))
}

const readable = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
const printable = characters(0x20, 0x7e)
/** Characters of nearly every script, for classes by Unicode property, and unprintable ones. */
const others = [...characters(0x00, 0x1f), ...characters(0x7f, 0x33ff, 7), '中', '한', '😀', '\ufeff']

function characters(from: number, to: number, step = 1): string[] {
  const count = Math.floor((to - from) / step) + 1
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index * step))
}
