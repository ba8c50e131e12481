import { fingerprint } from '../../schema/canonical.js'
import { key, type Rational } from '../values/rational.js'
import { isObject, type Json } from '../values/value.js'
import type { Language } from '../words/language.js'
import { Languages } from '../words/languages.js'
import { concern, type Formula, type Target, typeOf, types } from './formula.js'
import { satisfies } from './satisfaction.js'

type Shape = Formula extends infer F ? (F extends Formula ? Omit<F, 'id' | 'mask'> : never) : never

const isScalar = (formula: Formula): boolean =>
  formula.kind === 'bound' || formula.kind === 'multiple' || formula.kind === 'text'

const infinity = Number.POSITIVE_INFINITY

/** Creates formulas and their negations. Simplifies them if that is cheap. */
export class Formulas {
  readonly languages = new Languages()
  readonly #known = new Map<string, Formula>()
  readonly #negations = new Map<Formula, Formula>()
  #targets = 0
  readonly always: Formula
  readonly never: Formula

  constructor() {
    this.always = this.type(types.all)
    this.never = this.type(0)
  }

  /** The negation, if it exists already. A negation that does not exist cannot be part of anything. */
  knownNegation(formula: Formula): Formula | undefined {
    return this.#negations.get(formula)
  }

  not(formula: Formula): Formula {
    const known = this.#negations.get(formula)
    if (known !== undefined) return known
    const negation = this.#negate(formula)
    this.#negations.set(formula, negation)
    if (!this.#negations.has(negation)) this.#negations.set(negation, formula)
    return negation
  }

  all(parts: Iterable<Formula>): Formula {
    const flat = new Set<Formula>()
    const listed: (Formula & { kind: 'value' })[] = []
    let mask: number = types.all
    for (const part of parts)
      for (const one of part.kind === 'all' ? part.parts : [part]) {
        if (one.kind === 'type') mask &= one.mask
        else {
          flat.add(one)
          if (one.kind === 'value' && one.positive) listed.push(one)
        }
      }
    const [first] = listed
    if (first !== undefined && flat.size + Number(mask !== types.all) > 1) {
      const remaining = this.#narrow(first, flat, mask)
      if (remaining !== first) {
        for (const one of listed) flat.delete(one)
        return this.all([this.type(mask), ...flat, remaining])
      }
    }
    let possible = mask
    for (const one of flat) {
      possible &= one.mask
      const opposite = this.#negations.get(one)
      if (opposite !== undefined && flat.has(opposite)) return this.never
    }
    if (possible === 0) return this.never
    const kept = [...flat].filter((one) => {
      const about = concern(one)
      return about === undefined || (about & possible) !== 0
    })
    const implied = kept.reduce<number>((sum, one) => sum & one.mask, types.all)
    if ((implied & mask) !== implied || kept.length === 0) kept.push(this.type(possible))
    return this.#join('all', kept, possible)
  }

  any(parts: Iterable<Formula>): Formula {
    const flat = new Set<Formula>()
    let mask = 0
    for (const part of parts)
      for (const one of part.kind === 'any' ? part.parts : [part]) {
        if (one.kind === 'type') mask |= one.mask
        else if (one.mask !== 0) flat.add(one)
      }
    if (mask === types.all) return this.always
    for (const one of flat) {
      const opposite = this.#negations.get(one)
      if (opposite !== undefined && flat.has(opposite)) return this.always
    }
    const kept = [...flat].filter((one) => (one.mask & ~mask) !== 0)
    if (mask !== 0 || kept.length === 0) kept.push(this.type(mask))
    return this.#join(
      'any',
      kept,
      kept.reduce((sum, one) => sum | one.mask, mask),
    )
  }

  /** Exactly one of the parts. A part may occur more than once. */
  one(parts: readonly Formula[], positive = true): Formula {
    if (parts.length === 0) return positive ? this.never : this.always
    const [first] = parts
    if (parts.length === 1 && first !== undefined) return positive ? first : this.not(first)
    const sorted = [...parts].sort((a, b) => a.id - b.id)
    const shape = { kind: 'one', parts: sorted, positive } as const
    const mask = positive ? sorted.reduce((sum, part) => sum | part.mask, 0) : types.all
    return this.#intern(`1${positive}${sorted.map((part) => part.id).join()}`, shape, mask)
  }

  type(mask: number): Formula {
    return this.#intern(`t${mask}`, { kind: 'type' }, mask)
  }

  /** The target of a reference, read on demand. */
  target(read: () => Formula): Target {
    let formula: Formula | undefined
    this.#targets += 1
    return {
      id: this.#targets,
      formula: () => {
        formula ??= read()
        return formula
      },
    }
  }

  reference(target: Target, positive = true): Formula {
    return this.#intern(`r${target.id}${positive}`, { kind: 'reference', target, positive }, types.all)
  }

  /** One of these values, or any other value. */
  value(values: Iterable<Json>, positive = true): Formula {
    const map = new Map<string, Json>()
    let mask = 0
    let simple = 0
    for (const value of values) {
      const type = typeOf(value)
      mask |= type
      if ((type & (types.null | types.boolean)) === 0) map.set(fingerprint(value), value)
      else simple |= type
    }
    if (map.size === 0) return this.type(positive ? simple : types.all & ~simple)
    if (positive && simple !== 0) return this.any([this.type(simple), this.value(map.values())])
    if (!positive && simple !== 0)
      return this.all([this.type(types.all & ~simple), this.value(map.values(), false)])
    const names = [...map.keys()].sort().join()
    return this.#intern(
      `v${positive}${names}`,
      { kind: 'value', values: map, positive },
      positive ? mask : types.all,
    )
  }

  bound(side: 'min' | 'max', value: Rational, open: boolean): Formula {
    return this.#about(`b${side}${key(value)}${open}`, { kind: 'bound', side, value, open })
  }

  multiple(of: Rational, positive = true): Formula {
    return this.#about(`m${key(of)}${positive}`, { kind: 'multiple', of, positive })
  }

  text(language: Language): Formula {
    if (language === this.languages.any) return this.always
    if (language === this.languages.none) return this.type(types.all & ~types.string)
    return this.#about(`s${language.id}`, { kind: 'text', language })
  }

  /** Arrays with min to max items, or objects with as many properties. */
  size(kind: 'items-size' | 'size', min: number, max: number): Formula {
    if (min <= 0 && max === infinity) return this.always
    const about = kind === 'size' ? types.object : types.array
    if (min > max) return this.type(types.all & ~about)
    return this.#about(`${kind}${min}-${max}`, { kind, min: Math.max(0, min), max })
  }

  unique(positive = true): Formula {
    return this.#about(`u${positive}`, { kind: 'unique', positive })
  }

  /** Items at positions from (inclusive) to (exclusive). */
  every(from: number, to: number, part: Formula): Formula {
    if (part === this.always || from >= to) return this.always
    if (part === this.never) return this.size('items-size', 0, from)
    return this.#about(`every${from}-${to}:${part.id}`, { kind: 'every', from, to, part })
  }

  some(from: number, to: number, part: Formula): Formula {
    if (part === this.never || from >= to) return this.type(types.all & ~types.array)
    if (part === this.always) return this.size('items-size', from + 1, infinity)
    const shape = { kind: 'some', from, to, part } as const
    return this.#about(`some${from}-${to}:${part.id}`, shape)
  }

  /** At least, or at most, this many items that satisfy a part. */
  count(part: Formula, bound: 'least' | 'most', count: number): Formula {
    if (bound === 'least' && count <= 0) return this.always
    if (bound === 'most' && count < 0) return this.type(types.all & ~types.array)
    if (bound === 'least' && count === 1) return this.some(0, infinity, part)
    if (bound === 'most' && count === 0) return this.every(0, infinity, this.not(part))
    if (part === this.never) return bound === 'most' ? this.always : this.type(types.all & ~types.array)
    if (part === this.always)
      return bound === 'least' ? this.size('items-size', count, infinity) : this.size('items-size', 0, count)
    return this.#about(`c${bound}${count}:${part.id}`, { kind: 'count', part, bound, count })
  }

  everyKey(keys: Language, part: Formula): Formula {
    if (part === this.always || keys === this.languages.none) return this.always
    if (part === this.never && keys === this.languages.any) return this.size('size', 0, 0)
    return this.#about(`ek${keys.id}:${part.id}`, { kind: 'every-key', keys, part })
  }

  someKey(keys: Language, part: Formula): Formula {
    if (part === this.never || keys === this.languages.none) return this.type(types.all & ~types.object)
    if (part === this.always && keys === this.languages.any) return this.size('size', 1, infinity)
    return this.#about(`sk${keys.id}:${part.id}`, { kind: 'some-key', keys, part })
  }

  /** Listed values without those that a cheap condition next to them excludes. */
  #narrow(listed: Formula & { kind: 'value' }, beside: ReadonlySet<Formula>, mask: number): Formula {
    const kept = [...listed.values].filter(([name, value]) => {
      if ((typeOf(value) & mask) === 0) return false
      for (const one of beside) {
        if (one.kind === 'value') {
          if (one.values.has(name) !== one.positive) return false
        } else if (isScalar(one) && concern(one) === typeOf(value) && !satisfies(this.languages, one, value))
          return false
      }
      return true
    })
    return kept.length === listed.values.size ? listed : this.value(kept.map(([, value]) => value))
  }

  /** Describes an array or object exactly, by its members. */
  structure(value: Json): Formula {
    if (Array.isArray(value))
      return this.all([
        this.type(types.array),
        this.size('items-size', value.length, value.length),
        ...value.map((item, i) => this.every(i, i + 1, this.value([item]))),
      ])
    if (!isObject(value)) return this.value([value])
    const names = Object.keys(value)
    return this.all([
      this.type(types.object),
      this.size('size', names.length, names.length),
      ...names.flatMap((name) => {
        const keys = this.languages.words([name])
        const member: Json = Object.getOwnPropertyDescriptor(value, name)?.value
        return [this.someKey(keys, this.always), this.everyKey(keys, this.value([member]))]
      }),
    ])
  }

  #negate(formula: Formula): Formula {
    const { languages } = this
    const of = (about: number, dual: Formula): Formula => this.all([this.type(about), dual])
    switch (formula.kind) {
      case 'all':
        return this.any(formula.parts.map((part) => this.not(part)))
      case 'any':
        return this.all(formula.parts.map((part) => this.not(part)))
      case 'one':
        return this.one(formula.parts, !formula.positive)
      case 'reference':
        return this.reference(formula.target, !formula.positive)
      case 'type':
        return this.type(types.all & ~formula.mask)
      case 'value':
        return this.value(formula.values.values(), !formula.positive)
      case 'bound':
        return of(
          types.number,
          this.bound(formula.side === 'min' ? 'max' : 'min', formula.value, !formula.open),
        )
      case 'multiple':
        return of(types.number, this.multiple(formula.of, !formula.positive))
      case 'text':
        return of(types.string, this.text(languages.not(formula.language)))
      case 'items-size':
      case 'size': {
        const about = formula.kind === 'size' ? types.object : types.array
        const below = formula.min > 0 ? [this.size(formula.kind, 0, formula.min - 1)] : []
        const above = formula.max < infinity ? [this.size(formula.kind, formula.max + 1, infinity)] : []
        return of(about, this.any([...below, ...above]))
      }
      case 'unique':
        return of(types.array, this.unique(!formula.positive))
      case 'every':
        return of(types.array, this.some(formula.from, formula.to, this.not(formula.part)))
      case 'some':
        return of(types.array, this.every(formula.from, formula.to, this.not(formula.part)))
      case 'count':
        return of(
          types.array,
          formula.bound === 'least'
            ? this.count(formula.part, 'most', formula.count - 1)
            : this.count(formula.part, 'least', formula.count + 1),
        )
      case 'every-key':
        return of(types.object, this.someKey(formula.keys, this.not(formula.part)))
      case 'some-key':
        return of(types.object, this.everyKey(formula.keys, this.not(formula.part)))
    }
  }

  #join(kind: 'all' | 'any', parts: Formula[], mask: number): Formula {
    const [first] = parts
    if (parts.length === 1 && first !== undefined) return first
    parts.sort((a, b) => a.id - b.id)
    return this.#intern(`${kind}${parts.map((part) => part.id).join()}`, { kind, parts }, mask)
  }

  #about(name: string, shape: Shape): Formula {
    return this.#intern(name, shape, types.all)
  }

  #intern(name: string, shape: Shape, mask: number): Formula {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const formula: Formula = { id: this.#known.size, mask, ...shape }
    this.#known.set(name, formula)
    return formula
  }
}
