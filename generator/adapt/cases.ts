import type { Validator } from 'duet-runtime'
import { objectOf } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject } from '../document/json.js'
import type { Model } from '../model/model.js'
import { Random } from '../samples/random.js'
import { Sampler, type Side } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import { fingerprint } from '../schema/canonical.js'
import type { Schema } from '../schema/schema.js'

/**
 * Different values that a validator accepts, as it leaves them: with defaults. Half are samples of the schema. The others
 * are samples with members removed or added, and with values at the edges of what is allowed.
 *
 * @param named names of members to add, where objects are open
 */
export function casesOf(
  { model, side, schema, validator, named }: CaseSource,
  { count, seed }: CaseOptions,
): readonly Json[] {
  const sampler = samplerOf(model, side)
  const found = new Map<string, Json>()
  const add = (value: Json): boolean => {
    const whole = clone(value)
    if (!validator(whole)) return false
    found.set(fingerprint(whole), whole)
    return true
  }
  for (let attempt = 0; attempt < count && found.size < count; attempt++) {
    const random = new Random(`${seed} ${attempt}`)
    const sample = validSample(sampler, schema, validator, `${seed} ${attempt}`)
    // Without any valid sample, more attempts would only take time.
    if (!('value' in sample)) return [...found.values()]
    add(sample.value)
    for (let turn = 0, value = sample.value; turn < 6 && found.size < count; turn++) {
      const other = varied(value, random, named)
      if (add(other)) value = other
    }
  }
  return [...found.values()]
}

export interface CaseSource {
  readonly model: Model
  readonly side: Side
  readonly schema: Schema
  readonly validator: Validator
  readonly named: readonly string[]
}

export interface CaseOptions {
  readonly count: number
  /** The same seed gives the same values. */
  readonly seed: string
}

const samplers = new WeakMap<Model, Map<Side, Sampler>>()

/** Samplers remember what they have read of a document. */
function samplerOf(model: Model, side: Side): Sampler {
  const known = samplers.get(model) ?? new Map<Side, Sampler>()
  samplers.set(model, known)
  const sampler = known.get(side) ?? new Sampler(model.schemas, side)
  known.set(side, sampler)
  return sampler
}

/** A value that differs in one place. */
function varied(value: Json, random: Random, named: readonly string[]): Json {
  if (isArray(value) && value.length > 0) {
    const at = random.integer(0, value.length - 1)
    if (random.next() < 0.2) return value.toSpliced(at, 1)
    if (random.next() < 0.2) return [...value, value[at] ?? null]
    return value.with(at, varied(value[at] ?? null, random, named))
  }
  if (isObject(value)) {
    const entries = Object.entries(value)
    const name = random.pick(named.length === 0 || random.next() < 0.1 ? inherited : named)
    if (name !== undefined && (entries.length === 0 || random.next() < 0.2))
      return objectOf([...entries, [name, random.pick(edges) ?? null]])
    if (entries.length === 0) return value
    const at = random.integer(0, entries.length - 1)
    if (random.next() < 0.4) return objectOf(entries.toSpliced(at, 1))
    const [key = '', member = null] = entries[at] ?? []
    return objectOf(entries.with(at, [key, varied(member, random, named)]))
  }
  if (typeof value === 'number') return random.pick(numbers) ?? value
  if (typeof value === 'string') return random.pick([value.slice(0, 1), value + value, ...texts]) ?? value
  return random.pick(edges) ?? value
}

/** Names that every object inherits: an open object may have a member of its own with each. */
const inherited: readonly string[] = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

const numbers: readonly number[] = [
  ...[0, 1, -1, 2, 10, 20, 50, 99, 100, 101, 255, 256, 500, 999, 1000, 1001, 10_000, 65_535],
  ...[0.5, -0.5, 1e6, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 1e21],
]
const texts: readonly string[] = [
  '',
  'a',
  'A',
  '0',
  '-',
  ' ',
  'é',
  'x'.repeat(64),
  'x'.repeat(255),
  'x'.repeat(256),
]
const edges: readonly Json[] = [null, true, false, 0, 1, '', 'a', [], {}]
