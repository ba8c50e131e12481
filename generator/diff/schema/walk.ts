import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { type Cursor, childPointer, compareText } from '../../model/cursor.js'
import { catalogueEntry } from '../catalogue.js'
import type { Level } from '../change.js'
import type { Judged, Judgement } from '../decide/judgement.js'
import { asObject, referenced, type Side } from '../side.js'
import { annotationBranchChanges } from './annotation-branches.js'
import { compositionChanges, wraps } from './composition.js'
import { type KeywordChange, keywordChanges } from './keywords.js'
import { lifecycleChanges } from './lifecycle.js'
import { merged } from './merged.js'
import { said } from './message.js'
import { withoutNull } from './nullable.js'
import { propertyChanges } from './properties.js'
import { isReference, type Sameness } from './same.js'
import { changeId, type Report, type Subject } from './subject.js'
import { withTypeList } from './type-list.js'
import { typeActions, typesOf } from './types.js'

/** Two schemas at one place, and the way there. */
export interface Stop {
  readonly a: Cursor
  readonly b: Cursor
  /** Where the values stand, from the subject's whole: `/items/-/price`. */
  readonly path: string
  /** `read-only-` or `write-only-` where the other side's callers never send it; else empty. */
  readonly kind: string
}

/** Walks two schemas side by side and reports what differs at the smallest place where it does. */
export class SchemaWalk {
  readonly #visited = new Map<Json, Set<Json>>()
  #whole: boolean | undefined
  #root: Stop | undefined

  constructor(
    readonly old: Side,
    readonly new_: Side,
    readonly sameness: Sameness,
    readonly judgement: Judgement,
    readonly subject: Subject,
    readonly report: Report,
  ) {}

  /** Compares the schemas of the whole subject. */
  start(a: Cursor, b: Cursor): void {
    this.#root = { a, b, path: '', kind: '' }
    this.visit(this.#root)
  }

  /** Compares the schemas of one place; a pair that was met before is left alone. */
  visit(stop: Stop): void {
    const a = behind(this.old, stop.a)
    const b = behind(this.new_, stop.b)
    if (this.sameness.of(a.value, b.value) || this.#met(a.value, b.value)) return
    const bare = withoutNull(this.old, this.new_, a, b)
    if (bare !== undefined) {
      if (bare.change !== undefined) this.put({ ...stop, a, b }, { action: bare.change, keywords: [] })
      this.visit({ ...stop, a: bare.a, b: bare.b })
      return
    }
    const [one, other] = [withTypeList(this.old, a), withTypeList(this.new_, b)]
    const branched = (listed: Cursor | undefined, { value }: Cursor): boolean =>
      listed === undefined &&
      ['anyOf', 'oneOf'].some((keyword) => own(asObject(value), keyword) !== undefined)
    // Branches are compared with branches.
    if (branched(one, a) || branched(other, b)) {
      this.#compare({ ...stop, a, b }, false)
      return
    }
    const isListed = one !== undefined || other !== undefined
    this.#compare({ ...stop, a: one ?? a, b: other ?? b }, isListed)
  }

  #compare(stop: Stop, listed: boolean): void {
    const [a, b] = [asObject(stop.a.value), asObject(stop.b.value)]
    const isRequest = this.subject.direction === 'request'
    for (const change of annotationBranchChanges(this.old, a, this.new_, b)) this.put(stop, change)
    if (this.#isRefactored(a, b)) return
    if (!listed && wraps(a, b)) {
      this.put(stop, { action: 'wrapped-in-one-of', keywords: [] })
      return
    }
    const manner = {
      listed,
      loose: this.subject.isLoose === true && this.subject.holder !== 'parameter',
      nested: this.subject.holder === 'parameter' && stop.path !== '',
    }
    for (const action of typeActions(a, b, isRequest, manner)) this.#putType(stop, action, a, b)
    for (const change of keywordChanges(a, b, isRequest)) this.put(stop, change)
    if (stop.path !== '')
      for (const change of lifecycleChanges(a, b, this.subject.notice)) this.put(stop, change)
    propertyChanges(this, stop, a, b)
    compositionChanges(this, stop, a, b)
  }

  /** Whether two schemas only differ in what stands in an allOf and what beside it. */
  #isRefactored(a: JsonObject, b: JsonObject): boolean {
    const [one, other] = [merged(this.old, a), merged(this.new_, b)]
    return (one !== undefined || other !== undefined) && this.sameness.of(one ?? a, other ?? b)
  }

  #met(a: Json, b: Json): boolean {
    const known = this.#visited.get(a) ?? new Set<Json>()
    this.#visited.set(a, known)
    if (known.has(b)) return true
    known.add(b)
    return false
  }

  /** Reports one change at a place, by the level that containment gives it. */
  put(
    stop: Stop,
    change: KeywordChange & { readonly id?: string; readonly judged?: Judged | undefined },
  ): void {
    const isRoot = stop.path === ''
    const id = change.id ?? changeId(this.subject, isRoot, change.action, stop.kind)
    const { level, evidence } = this.#judged(stop, change, id)
    this.report({
      id,
      level,
      message: said(this.subject, stop.path, id, change),
      path: this.subject.path + stop.path,
      old: stop.a,
      new: stop.b,
      values: [change.old, change.new],
      ...(this.subject.protocols !== undefined && { protocols: this.subject.protocols }),
      ...(evidence !== undefined && { evidence }),
    })
  }

  /** REST reads text: a parameter that becomes text takes what it took before, over REST alone. */
  #putType(stop: Stop, action: string, a: JsonObject, b: JsonObject): void {
    const change: KeywordChange = {
      action,
      keywords: ['type', 'format', 'enum'],
      old: kindOf(a),
      new: kindOf(b),
      ...(action === 'type-compatible' && { unseen: true as const }),
    }
    if (!action.startsWith('type-') || !this.#becomesText(stop, a, b)) {
      this.put(stop, change)
      return
    }
    const id = changeId(this.subject, stop.path === '', stop.path === '' ? 'type-generalized' : action)
    const base = { ...this.#finding(stop, id, change), values: [change.old ?? null, change.new ?? null] }
    this.report({ ...base, level: 'compatible', protocols: ['rest'] })
    this.report({ ...base, ...this.#judged(stop, change, id), protocols: ['jsonrpc'] })
  }

  /** Whether REST takes the same text before and after: a scalar of a parameter, or of its members or items. */
  #becomesText({ path }: Stop, a: JsonObject, b: JsonObject): boolean {
    const isWritten = this.subject.holder === 'parameter' && this.subject.isLoose === true
    const scalar = typesOf(a).every((type) => type !== 'object' && type !== 'array')
    const takesAll = ['format', 'pattern', 'enum', 'const', 'maxLength', 'minLength'].every(
      (keyword) => own(b, keyword) === undefined,
    )
    const isText = typesOf(b).includes('string') && takesAll
    return isWritten && path.split('/').length <= 2 && typesOf(a).length > 0 && scalar && isText
  }

  #finding(stop: Stop, id: string, change: KeywordChange) {
    const message = said(this.subject, stop.path, id, change)
    return { id, message, path: this.subject.path + stop.path, old: stop.a, new: stop.b }
  }

  #judged(
    stop: Stop,
    change: KeywordChange & { readonly judged?: Judged | undefined },
    id: string,
  ): Partial<Judged> & { level: Level } {
    const level = catalogueEntry(id)?.level ?? 'dangerous'
    if (change.unseen === true) return { level }
    if (stop.kind !== '') return { level: 'compatible' }
    const judged =
      change.judged ??
      once(this, stop, `${change.action} ${change.keywords}`, () => this.#decide(stop, change))
    // Where nothing could be decided, what the catalogue takes for breaking is not called less.
    if (judged.evidence.reason !== undefined && level === 'breaking') return { ...judged, level }
    if (judged.level === 'compatible' || !this.#wholeHolds()) return judged
    return { level: 'compatible', evidence: {} }
  }

  /** The old schema against itself with what changed, in the direction in which values go. */
  #decide(stop: Stop, { keywords }: KeywordChange): Judged {
    const { direction } = this.subject
    const [a, b] = [asObject(stop.a.value), asObject(stop.b.value)]
    const verdict =
      keywords.length === 0
        ? this.judgement.holds(direction, a, b)
        : this.judgement.holds(direction, a, withKeywords(a, b, keywords), this.old)
    return this.judgement.judge(verdict)
  }

  /** Whether the whole holds after all, because another change makes up for it. */
  #wholeHolds(): boolean {
    if (this.#root === undefined) return false
    this.#whole ??=
      this.judgement.holds(this.subject.direction, this.#root.a.value, this.#root.b.value).verdict ===
      'contained'
    return this.#whole
  }
}

/** What is decided of a place, whichever operation leads there. */
export function once(walk: SchemaWalk, { a, b }: Stop, what: string, decide: () => Judged): Judged {
  return walk.judgement.once([walk.subject.direction, a.pointer, b.pointer, what].join(' '), decide)
}

/** A schema behind references that have nothing beside them. */
export function behind(side: Side, cursor: Cursor): Cursor {
  let at = cursor
  for (let steps = 0; steps < 50 && isReference(at.value); steps++) {
    const target = referenced(side, at.value.$ref)
    if (target === undefined) return at
    at = target
  }
  return at
}

/** The cursor of a schema within one. */
export function within(cursor: Cursor, value: Json, ...keys: readonly (string | number)[]): Cursor {
  return { value, pointer: childPointer(cursor.pointer, ...keys) }
}

/** A schema with some keywords as another has them. */
function withKeywords(a: JsonObject, b: JsonObject, keywords: readonly string[]): JsonObject {
  const kept = Object.entries(a).filter(([key]) => !keywords.includes(key))
  const taken = keywords.flatMap((key) =>
    own(b, key) === undefined ? [] : [[key, own(b, key) ?? null] as const],
  )
  return Object.fromEntries([...kept, ...taken])
}

function kindOf(schema: JsonObject): Json {
  const types = typesOf(schema).sort(compareText)
  const format = own(schema, 'format')
  const name = types.length === 0 ? 'any' : types.join(' or ')
  return format === undefined ? name : `${name} (${String(format)})`
}

/** Names of an object's members that either of two has, sorted. */
export function namesOf(a: Json | undefined, b: Json | undefined): string[] {
  const names = [a, b].flatMap((value) => (isObject(value) && !isArray(value) ? Object.keys(value) : []))
  return [...new Set(names)].sort(compareText)
}
