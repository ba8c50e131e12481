import type { Protocol } from '../contract/operation.js'
import { tokensOf } from '../contract/pointer.js'
import type { Violation } from '../contract/problem-details.js'
import { MAX_VIOLATIONS } from '../contract/violations.js'
import type { Tried } from '../usage/recorder.js'
import type { ShadowChange, ViolationSign } from '../usage/shadow-options.js'
import { isJsonObject } from '../values/object.js'

/** Why the next version refuses a call. */
export interface ShadowRefusal {
  /** Whether the call reaches another operation than before, or none. */
  readonly isElsewhere?: boolean
  /** The other operation. */
  readonly taker?: string | undefined
  readonly isWithoutCredentials?: boolean
  readonly isOtherMediaType?: boolean
  /** Whether there is another reason, such as a body that is too long. */
  readonly isOther?: boolean
  /** The changes that the call shows by a missing value. */
  readonly absent?: readonly string[]
  readonly violations: readonly Violation[]
}

/** Finds which changes of an operation cause a refusal over one protocol. */
export class Attribution {
  readonly #always: readonly string[]
  /** The changes that even an accepted call shows. */
  readonly #accepted: Tried
  readonly #address: readonly string[]
  readonly #takers: ReadonlyMap<string, readonly string[]>
  readonly #credentials: readonly string[]
  readonly #mediaType: readonly string[]
  readonly #claims: readonly Claim[]
  readonly #absences: readonly { readonly fingerprint: string; readonly way: Way }[]

  constructor(changes: readonly ShadowChange[], protocol: Protocol) {
    const own = changes.filter(({ protocols }) => protocols.includes(protocol))
    const of = (sign: ShadowChange['sign']) =>
      own.flatMap((change) => (change.sign === sign ? [change.fingerprint] : []))
    this.#always = of('call')
    this.#accepted = { hits: new Set(this.#always), isUnattributed: false }
    this.#address = of('address')
    this.#credentials = of('credentials')
    this.#mediaType = of('media type')
    const takers = new Map<string, string[]>()
    for (const change of own)
      if (change.sign === 'taker')
        takers.set(change.operation, [...(takers.get(change.operation) ?? []), change.fingerprint])
    this.#takers = takers
    this.#absences = own.flatMap((change) =>
      change.sign === 'absence' ? [{ fingerprint: change.fingerprint, way: tokensOf(change.path) }] : [],
    )
    this.#claims = own.flatMap((change) => (change.sign === 'violation' ? [claimOf(change)] : []))
  }

  /** The changes that a call shows by a missing value. */
  absent(params: unknown): readonly string[] {
    if (this.#absences.length === 0) return NONE
    return this.#absences.flatMap(({ fingerprint, way }) => (isMissing(params, way) ? [fingerprint] : []))
  }

  /** The changes that cause a refusal. */
  of(refusal: ShadowRefusal | undefined): Tried {
    if (refusal === undefined) return this.#accepted
    const hits = new Set([...this.#always, ...(refusal.absent ?? [])])
    let isUnattributed = refusal.isOther === true
    const add = (found: readonly string[]) => {
      if (found.length === 0 && this.#always.length === 0) isUnattributed = true
      for (const fingerprint of found) hits.add(fingerprint)
    }
    if (refusal.isElsewhere === true) {
      const taken = refusal.taker === undefined ? undefined : this.#takers.get(refusal.taker)
      add(taken ?? this.#address)
    }
    if (refusal.isWithoutCredentials === true) add(this.#credentials)
    if (refusal.isOtherMediaType === true) add(this.#mediaType)
    if (refusal.violations.length > 0 && !this.#claimed(refusal.violations, hits)) isUnattributed = true
    return { hits, isUnattributed }
  }

  /**
   * Adds the changes that explain violations. False if a violation remains that no change explains. A violation around
   * or within an explained one, such as of the branches around it, counts as explained.
   */
  #claimed(violations: readonly Violation[], hits: Set<string>): boolean {
    const left: string[][] = []
    const explained: string[][] = []
    for (const { path, keyword } of violations) {
      const way = tokensOf(path)
      const claims = this.#causes(way, keyword)
      for (const { fingerprint } of claims) hits.add(fingerprint)
      if (claims.length > 0) explained.push(way)
      else left.push(way)
    }
    // The validator reports no more violations than this. The others could have other causes.
    if (violations.length >= MAX_VIOLATIONS) return false
    return left.every((way) => explained.some((other) => nearness(way, other) !== undefined))
  }

  /**
   * The changes that cause a violation. If no change names its path and keyword: those at the path with any keyword,
   * and those of the values around it; else those of values within it. Missing a caller is worse than naming one too
   * many.
   */
  #causes(way: Way, keyword: string): readonly Claim[] {
    const near = (wanted: Nearness) => this.#claims.filter((claim) => nearness(way, claim.way) === wanted)
    const at = near('at')
    // An undeclared member says nothing of those next to it.
    if (at.length > 0 && aboutNames.has(keyword)) return at
    const exact = at.filter(({ keywords }) => keywords.includes(keyword))
    const vague = this.#claims.filter(
      ({ keywords, way: own, around }) =>
        (keywords.length === 0 && isIn(way, own)) || (around !== undefined && isIn(way, around)),
    )
    const found = exact.length > 0 ? exact : [...at, ...near('within')]
    if (found.length + vague.length === 0) return near('around')
    return [...found, ...vague]
  }
}

const NONE: readonly string[] = []

/** Keywords that refuse a member for its name. */
const aboutNames: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

interface Claim {
  readonly fingerprint: string
  readonly way: Way
  readonly keywords: readonly string[]
  readonly around: Way | undefined
}

/** The segments of a path. `*` matches any. */
type Way = readonly string[]

function claimOf({ fingerprint, path, keywords, around }: ShadowChange & ViolationSign): Claim {
  return {
    fingerprint,
    way: tokensOf(path),
    keywords,
    around: around === undefined ? undefined : tokensOf(around),
  }
}

/** Whether only the last property of a path is missing. */
function isMissing(params: unknown, way: Way): boolean {
  let value = params
  for (const [index, name] of way.entries()) {
    if (!isJsonObject(value)) return false
    if (!Object.hasOwn(value, name)) return index === way.length - 1
    value = value[name]
  }
  return false
}

function isIn(way: Way, around: Way): boolean {
  const found = nearness(way, around)
  return found === 'at' || found === 'within'
}

type Nearness = 'at' | 'within' | 'around'

/** Where a path is, seen from another one. Undefined: elsewhere. */
function nearness(way: Way, other: Way): Nearness | undefined {
  const shared = Math.min(way.length, other.length)
  for (let index = 0; index < shared; index++) {
    const name = other[index]
    if (name !== '*' && name !== way[index]) return undefined
  }
  if (way.length === other.length) return 'at'
  return way.length > other.length ? 'within' : 'around'
}
