import { fingerprint } from '../../schema/canonical.js'
import type { Formula, Target } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import { isObject, type Json } from '../values/value.js'
import { holding, references, telling } from './keyword.js'
import { child, follow, placeKey, type Site, withoutDetours } from './site.js'

/**
 * Gives equal schemas one identity, in one document or two, through references and cycles: two schemas are
 * equal unless some path of keywords leads to a difference (bisimulation).
 */
export class Identity {
  readonly #targets = new Map<string, Target>()
  readonly #buckets = new Map<string, { readonly site: Site; readonly target: Target }[]>()
  readonly #numbers = new WeakMap<object, number>()
  #count = 0

  /** @param read the formula of a schema, called on demand */
  constructor(
    readonly formulas: Formulas,
    readonly read: (site: Site) => Formula,
  ) {}

  /** The target of a reference to this schema. Throws Undecidable if references lead nowhere. */
  target(given: Site): Target {
    const site = withoutDetours(given)
    const name = this.#name(site)
    const known = this.#targets.get(name)
    if (known !== undefined) return known
    const shape = outline(site.schema, 3)
    const bucket = this.#buckets.get(shape) ?? []
    this.#buckets.set(shape, bucket)
    for (const other of bucket) {
      const assumed = new Set<string>()
      if (!this.#same(site, other.site, assumed)) continue
      this.#targets.set(name, other.target)
      return other.target
    }
    const target = this.formulas.target(() => this.read(site))
    this.#targets.set(name, target)
    bucket.push({ site, target })
    return target
  }

  #same(left: Site, right: Site, assumed: Set<string>): boolean {
    const a = left.schema
    const b = right.schema
    if (!isObject(a) || !isObject(b)) return a === b
    if (a === b && left.scope.key === right.scope.key && left.resource === right.resource) return true
    const keys = telling(a)
    if (keys.length !== telling(b).length) return false
    return keys.every((key) => Object.hasOwn(b, key) && this.#sameKeyword(key, left, right, assumed))
  }

  #sameKeyword(key: string, left: Site, right: Site, assumed: Set<string>): boolean {
    const a = member(left.schema, key)
    const b = member(right.schema, key)
    if (references.has(key)) return this.#sameReference(key, left, right, assumed)
    const within = (x: Json, y: Json): boolean => this.#same(child(left, x), child(right, y), assumed)
    const lists = (x: Json, y: Json): boolean =>
      Array.isArray(x) && Array.isArray(y) && x.length === y.length && x.every((one, i) => within(one, y[i]))
    switch (holding(key)) {
      case 'schema':
        return within(a, b)
      case 'schemas':
        return lists(a, b)
      case 'schema-or-schemas':
        return Array.isArray(a) || Array.isArray(b) ? lists(a, b) : within(a, b)
      case 'schema-map':
      case 'schemas-or-names': {
        if (!isObject(a) || !isObject(b)) return false
        const names = Object.keys(a)
        return (
          names.length === Object.keys(b).length &&
          names.every((name) => {
            if (!Object.hasOwn(b, name)) return false
            const [x, y] = [member(a, name), member(b, name)]
            return Array.isArray(x) ? fingerprint(x) === fingerprint(y) : within(x, y)
          })
        )
      }
      default:
        return fingerprint(a) === fingerprint(b)
    }
  }

  #sameReference(key: string, left: Site, right: Site, assumed: Set<string>): boolean {
    // AJV treats dynamic references differently, so schemas that are equal by the specification may not be
    // equal for AJV.
    if (key !== '$ref') return false
    const a = withoutDetours(follow(left, String(member(left.schema, key))))
    const b = withoutDetours(follow(right, String(member(right.schema, key))))
    const pair = `${this.#name(a)}|${this.#name(b)}`
    if (assumed.has(pair)) return true
    assumed.add(pair)
    return this.#same(a, b, assumed)
  }

  #name(site: Site): string {
    if (!isObject(site.schema)) return String(site.schema)
    let number = this.#numbers.get(site.schema)
    if (number === undefined) {
      number = this.#count++
      this.#numbers.set(site.schema, number)
    }
    return `${number} ${placeKey(site)}`
  }
}

function member(value: Json, key: string): Json {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : null
}

/** A text that equal schemas share. Omits references and deep parts. */
function outline(schema: Json, depth: number): string {
  if (!isObject(schema)) return String(schema)
  if (depth === 0) return ''
  return telling(schema)
    .sort()
    .map((key) => {
      const value = member(schema, key)
      if (references.has(key)) return key
      if (holding(key) === undefined) return `${key}=${fingerprint(value)}`
      if (holding(key) === 'schema') return `${key}(${outline(value, depth - 1)})`
      return isObject(value) ? `${key}{${Object.keys(value).sort().join()}}` : key
    })
    .join(';')
}
