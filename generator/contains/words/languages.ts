import { withoutLookaround } from '../../patterns/lookaround.js'
import { patternFlags, patternTest } from '../../patterns/pattern-test.js'
import { formatDefinition } from './format.js'
import { codePoints, type Language, type LanguageMaker } from './language.js'

type Shape = Language extends infer L ? (L extends Language ? Omit<L, 'id'> : never) : never

/** Creates languages. Simplifies them if that is cheap. */
export class Languages implements LanguageMaker {
  readonly #known = new Map<string, Language>()
  readonly #tests = new Map<string, (word: string) => boolean>()
  readonly none: Language
  readonly any: Language

  constructor() {
    this.none = this.words([])
    this.any = this.#intern('any', { kind: 'complement', part: this.none })
  }

  words(words: Iterable<string>): Language {
    const sorted = [...new Set(words)].sort()
    return this.#intern(`w${JSON.stringify(sorted)}`, { kind: 'words', words: sorted })
  }

  /** @param flags as for RegExp; default: those for a schema's pattern */
  pattern(source: string, flags: string = patternFlags(source)): Language {
    const parts = flags === 'u' ? withoutLookaround(source) : undefined
    if (parts !== undefined)
      return this.and(
        parts.map((part) => (part.negated ? this.not(this.pattern(part.source)) : this.pattern(part.source))),
      )
    return this.#intern(`p${flags}/${source}`, { kind: 'pattern', source, flags })
  }

  format(name: string): Language {
    return this.#intern(`f${name}`, { kind: 'format', name })
  }

  /** Words of min to max code points. max may be Infinity. */
  length(min: number, max: number): Language {
    if (min > max || min === Number.POSITIVE_INFINITY) return this.none
    if (min <= 0 && max === Number.POSITIVE_INFINITY) return this.any
    return this.#intern(`l${min}-${max}`, { kind: 'length', min: Math.max(0, min), max })
  }

  not(language: Language): Language {
    switch (language.kind) {
      case 'complement':
        return language.part
      case 'and':
        return this.or(language.parts.map((part) => this.not(part)))
      case 'or':
        return this.and(language.parts.map((part) => this.not(part)))
      case 'length':
        return this.or([
          this.length(0, language.min - 1),
          this.length(language.max + 1, Number.POSITIVE_INFINITY),
        ])
      default:
        if (language === this.none) return this.any
        return this.#intern(`!${language.id}`, { kind: 'complement', part: language })
    }
  }

  and(parts: Iterable<Language>): Language {
    const all = new Set<Language>()
    for (const part of parts) for (const one of part.kind === 'and' ? part.parts : [part]) all.add(one)
    all.delete(this.any)
    const finite = [...all].find((part) => part.kind === 'words')
    if (finite?.kind === 'words') {
      const others = [...all].filter((part) => part !== finite)
      return this.words(finite.words.filter((word) => others.every((part) => this.test(part, word))))
    }
    let [min, max] = [0, Number.POSITIVE_INFINITY]
    const excluded = new Set<string>()
    const rest: Language[] = []
    for (const part of all) {
      if (part.kind === 'length') {
        min = Math.max(min, part.min)
        max = Math.min(max, part.max)
      } else if (part.kind === 'complement' && part.part.kind === 'words') {
        for (const word of part.part.words) excluded.add(word)
      } else if (this.#contradicts(part, all)) return this.none
      else rest.push(part)
    }
    if (min > max) return this.none
    for (const [i, part] of rest.entries()) {
      if (part.kind !== 'or') continue
      const fitting = part.parts.filter((one) => mayHaveLength(one, min, max))
      if (fitting.length < part.parts.length)
        return this.and([
          ...rest.filter((_, at) => at !== i),
          ...this.#tail(min, max, excluded),
          this.or(fitting),
        ])
    }
    const length = this.length(min, max)
    if (length !== this.any) rest.push(length)
    const relevant = [...excluded].filter((word) => rest.every((part) => this.test(part, word)))
    if (relevant.length > 0) rest.push(this.not(this.words(relevant)))
    return this.#join('and', rest, this.any)
  }

  or(parts: Iterable<Language>): Language {
    const all = new Set<Language>()
    for (const part of parts) for (const one of part.kind === 'or' ? part.parts : [part]) all.add(one)
    all.delete(this.none)
    if (all.has(this.any)) return this.any
    const words: string[] = []
    const rest: Language[] = []
    for (const part of all) {
      if (part.kind === 'words') words.push(...part.words)
      else if (this.#contradicts(part, all)) return this.any
      else rest.push(part)
    }
    const extra = words.filter((word) => !rest.some((part) => this.test(part, word)))
    if (extra.length > 0) rest.push(this.words(extra))
    return this.#join('or', rest, this.none)
  }

  /** Whether a word belongs to the language, by the same expressions and functions as AJV. */
  test(language: Language, word: string): boolean {
    switch (language.kind) {
      case 'words':
        return language.words.includes(word)
      case 'pattern':
        return this.#pattern(language.source, language.flags)(word)
      case 'format':
        return formatDefinition(language.name)?.accepts(word) ?? true
      case 'length': {
        const length = codePoints(word)
        return length >= language.min && length <= language.max
      }
      case 'complement':
        return !this.test(language.part, word)
      case 'and':
        return language.parts.every((part) => this.test(part, word))
      case 'or':
        return language.parts.some((part) => this.test(part, word))
    }
  }

  #pattern(source: string, flags: string): (word: string) => boolean {
    const key = `${flags}/${source}`
    const known = this.#tests.get(key)
    if (known !== undefined) return known
    const test = patternTest(source, flags)
    this.#tests.set(key, test)
    return test
  }

  /** Bounds and exceptions as parts of a conjunction. */
  #tail(min: number, max: number, excluded: ReadonlySet<string>): Language[] {
    return [this.length(min, max), this.not(this.words(excluded))]
  }

  /** Whether `beside` contains the complement of a part. Leaves unions and lengths to the search. */
  #contradicts(part: Language, beside: ReadonlySet<Language>): boolean {
    if (part.kind === 'complement') return beside.has(part.part)
    const complement = this.#known.get(`!${part.id}`)
    return complement !== undefined && beside.has(complement)
  }

  #join(kind: 'and' | 'or', parts: Language[], empty: Language): Language {
    const [first] = parts
    if (first === undefined) return empty
    if (parts.length === 1) return first
    parts.sort((a, b) => a.id - b.id)
    return this.#intern(`${kind}${parts.map((part) => part.id).join(',')}`, { kind, parts })
  }

  #intern(key: string, shape: Shape): Language {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const language: Language = { id: this.#known.size, ...shape }
    this.#known.set(key, language)
    return language
  }
}

/** Whether a language may have words of these lengths, judging only by its own bounds. */
function mayHaveLength(language: Language, min: number, max: number): boolean {
  if (language.kind === 'and') return language.parts.every((part) => mayHaveLength(part, min, max))
  return language.kind !== 'length' || (language.min <= max && language.max >= min)
}
