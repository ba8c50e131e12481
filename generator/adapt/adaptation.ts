import { olderCodes } from 'duet-runtime'
import type { Side } from '../diff/change/side.js'
import { Unchanged } from '../diff/same/unchanged.js'
import type { Json } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import type { Schema } from '../schema/schema.js'
import { changeText } from './change-text.js'
import { derive, type Obstacle } from './derive.js'
import { imageOf } from './image.js'
import { Passage } from './passage.js'
import { type Counterpart, counterparts } from './plan/counterparts.js'
import { fallbackKeyword } from './plan/fallbacks.js'
import { type BodyPair, bodyPairs, onlyBody } from './plan/part-schemas.js'
import {
  keep,
  makesPartialObject,
  type PartName,
  type Plan,
  type ReplacingPlan,
  restOf,
  stepsOf,
  type WholePlan,
} from './plan/plan.js'
import { renamedParams } from './plan/renamed-params.js'
import { unseenObstacles } from './plan/unseen.js'
import { Replacement } from './replacement.js'
import { VersionReading } from './version-reading.js'

/** How one version is served by the next one. */
export interface Adaptation {
  readonly older: Model
  readonly next: Model
  /** One for each operation of the older version, sorted by name. */
  readonly operations: readonly AdaptedOperation[]
}

export type Kind = 'identity' | 'derived' | 'written' | 'gone'

export interface AdaptedOperation {
  readonly name: string
  readonly kind: Kind
  readonly before: Operation
  /** Absent if the operation is gone. */
  readonly after?: Operation
  /** Why the two are one operation, if their names differ. */
  readonly by?: Counterpart['by']
  readonly parts: readonly Part[]
  /** Codes that the older version does not have, with those that it answers instead. */
  readonly problems: readonly (readonly [code: string, instead: string])[]
  /** Responses, such as `404`, whose error bodies the older version does not accept. Nothing converts them. */
  readonly errorBodies: readonly string[]
}

/** Params, results, pieces of a stream or error bodies of one operation. */
export interface Part {
  readonly name: PartName
  readonly kind: Exclude<Kind, 'gone'>
  readonly plan: WholePlan
  readonly steps: readonly string[]
  /** Whether TypeScript does not follow that the converter's value is one of the receiver. */
  readonly isWeak?: boolean
  readonly obstacles: readonly Obstacle[]
  readonly verdict: Verdict
}

/** Whether the receiver accepts what a converter makes. */
export type Verdict =
  /** Containment is decided for all values. */
  | { readonly kind: 'proved' }
  /** Every value that was tried is accepted. */
  | { readonly kind: 'held'; readonly cases: number }
  | { readonly kind: 'refuted'; readonly value: Json }
  /** Only more values than those that decide the kind show that the receiver refuses some. */
  | { readonly kind: 'failed'; readonly value: Json }
  /** A person writes the converter, which was not run. */
  | { readonly kind: 'open' }

/** Looks for values that a plan does not convert. */
export type Attack = (part: PartName, plan: WholePlan, before: Operation, after: Operation) => Verdict

/**
 * Compares two neighbouring versions operation by operation.
 *
 * @param attack tries values wherever nothing is proved
 * @throws Error if a document has no model
 */
export function adaptationOf(older: Side, next: Side, attack: Attack): Adaptation {
  if (older.model === undefined || next.model === undefined) throw new Error('A document has no model')
  const found = counterparts(older, next)
  const comparison = new OperationComparison(older, next, attack, found)
  const operations = older.model.operations.map((before) => comparison.of(before, found.get(before.name)))
  return { older: older.model, next: next.model, operations }
}

/** A part of an operation that needs a converter. */
interface Sought {
  readonly name: PartName
  readonly passage: Passage
  readonly schemas: readonly [sent: Schema, received: Schema]
  readonly before: Operation
  readonly after: Operation
  readonly renamed?: ReadonlyMap<string, string>
}

class OperationComparison {
  readonly #next: Model
  readonly #params: Passage
  readonly #results: Passage
  readonly #replacements: { [name in PartName]?: Replacement | undefined } = {}
  readonly #codes: Readonly<Record<string, string>>
  /** Operations that are identical in both documents, with everything they refer to. */
  readonly #same = new Set<string>()

  constructor(
    older: Side,
    next: Side,
    readonly attack: Attack,
    found: ReadonlyMap<string, Counterpart>,
  ) {
    const [was, is] = [older.model, next.model]
    if (was === undefined || is === undefined) throw new Error('A document has no model')
    this.#next = is
    this.#params = new Passage(
      'params',
      new VersionReading(was, 'readOnly'),
      new VersionReading(is, 'readOnly'),
    )
    this.#results = new Passage(
      'result',
      new VersionReading(is, 'writeOnly'),
      new VersionReading(was, 'writeOnly'),
    )
    for (const name of ['params', 'result', 'piece', 'error'] as const) {
      const passage = name === 'params' ? this.#params : this.#results
      this.#replacements[name] = Replacement.of(name, passage, found, was.operations)
    }
    this.#codes = olderCodes(Object.fromEntries(is.errors), Object.fromEntries(was.errors))
    const addressed = new Map(
      next.endpoints.filter(({ webhook }) => !webhook).map((one) => [`${one.method} ${one.path}`, one]),
    )
    // Of equal documents, code has other values if the config file says so.
    if (was.int64 !== is.int64) return
    const unchanged = new Unchanged(older, next)
    for (const before of older.endpoints) {
      const after = addressed.get(`${before.method} ${before.path}`)
      if (after !== undefined && !before.webhook && unchanged.has(before, after)) this.#same.add(before.name)
    }
  }

  of(before: Operation, counterpart: Counterpart | undefined): AdaptedOperation {
    const { name } = before
    if (counterpart === undefined)
      return { name, kind: 'gone', before, parts: [], problems: [], errorBodies: [] }
    const { operation: after, by, score } = counterpart
    const problems = after.errors.flatMap((code) => {
      const instead = this.#codes[code]
      return instead === undefined ? [] : [[code, instead] as const]
    })
    const pairs = this.#same.has(name) ? [] : this.#changedBodies(before, after)
    const isShared = pairs.some(({ received }) => received !== undefined)
    const own = isShared ? this.#errors(before, after) : []
    // The service can make bodies for each version, so none has to be written.
    const errorBodies = pairs.flatMap(({ response, received }) =>
      own.length === 0 || received === undefined ? [response] : [],
    )
    const parts = [...this.#partsOf(before, after), ...own].map((part) =>
      part.name === 'params' && score < 1 ? unsure(part, after, score) : part,
    )
    const isSame = after.name === name && problems.length === 0
    const kind = parts.some((part) => part.kind === 'written')
      ? 'written'
      : isSame && parts.every((part) => part.kind === 'identity')
        ? 'identity'
        : 'derived'
    return { name, kind, before, after, ...(after.name !== name && { by }), parts, problems, errorBodies }
  }

  /** Error bodies that the older version does not accept as they are. */
  #changedBodies(before: Operation, after: Operation): readonly BodyPair[] {
    return bodyPairs(before, after).filter(({ sent, received = false }) => {
      const [from, to] = [this.#results.from.of(sent), this.#results.to.of(received)]
      const isKept = this.#results.asIs(from, to).verdict === 'contained'
      return !isKept || unseenObstacles(this.#results, [from, to]).length > 0
    })
  }

  /** One converter for all error bodies, if all of them have one schema, and it follows from the documents. */
  #errors(before: Operation, after: Operation): readonly Part[] {
    const [sent, received] = [onlyBody(after), onlyBody(before)]
    if (sent === undefined || received === undefined) return []
    const schemas = [sent, received] as const
    const part = this.#derived({ name: 'error', before, after, passage: this.#results, schemas })
    return part.kind === 'written' ? [] : [part]
  }

  #partsOf(before: Operation, after: Operation): readonly Part[] {
    const hasPieces = before.pieces !== undefined || after.pieces !== undefined
    const names = hasPieces ? (['params', 'result', 'piece'] as const) : (['params', 'result'] as const)
    if (after.name === before.name && this.#same.has(before.name)) return names.map(identity)
    return names.map((name) => this.#part(name, before, after))
  }

  #part(name: Exclude<PartName, 'error'>, before: Operation, after: Operation): Part {
    const about = { name, before, after }
    switch (name) {
      case 'params': {
        const renamed = renamedParams(before, after)
        const part = this.#derived({
          ...about,
          passage: this.#params,
          schemas: [before.params, after.params],
          renamed,
        })
        if (
          before.rest.method === 'PATCH' &&
          part.kind === 'derived' &&
          makesPartialObject(restOf(part.plan))
        ) {
          const text = 'a PATCH with some members of a new object may replace the others'
          return { ...written(name, [{ path: '', text }]), plan: part.plan, steps: part.steps }
        }
        const [was, is] = [before, after].map(({ datetimes }) => JSON.stringify(datetimes.params))
        // Without a conversion, the runtime brings only the older version's datetimes to UTC.
        return part.kind === 'identity' && was !== is
          ? { ...derivedPart(name, keep, ['reads datetimes']), verdict: proved }
          : part
      }
      case 'result': {
        const lost = lostMedia(before, after)
        if (lost !== undefined) return written(name, [{ path: '', text: lost }])
        const part = this.#derived({
          ...about,
          passage: this.#results,
          schemas: [after.result, before.result],
        })
        // Without a conversion, handlers may choose only the older version's statuses.
        return part.kind === 'identity' && !haveSameStatuses(before, after)
          ? { ...derivedPart(name, keep, ['replaces new statuses']), verdict: proved }
          : part
      }
      case 'piece': {
        // Without a schema, callers expect any piece.
        if (before.pieces === undefined) return identity(name)
        if (after.pieces === undefined)
          return written(name, [{ path: '', text: `${this.#next.version} does not describe its pieces` }])
        return this.#derived({ ...about, passage: this.#results, schemas: [after.pieces, before.pieces] })
      }
    }
  }

  #derived(sought: Sought): Part {
    const { name, before, schemas } = sought
    const plain = this.#planned(sought)
    const replacement = this.#replacements[name]
    if (plain.verdict.kind === 'proved' || replacement === undefined) return plain
    const { plan, problem, schema } = replacement.for(before.name)
    if (problem !== undefined)
      return { ...plain, obstacles: [...plain.obstacles, { path: '', text: problem }] }
    if (plan === undefined) return plain
    const { passage } = replacement
    const part = this.#planned({ ...sought, passage, schemas: [schema, schemas[1]] }, plan)
    if (part.kind !== 'written') return part
    // One converter has the whole part. `/` is no member, so that trials still say which others it changes.
    const text = `your converter ${stepsOf({ ...plan, rest: keep }).join()}, by ${fallbackKeyword}`
    return { ...plain, obstacles: [...plain.obstacles, { path: '/', text }] }
  }

  /** @param first what a converter does before the plan that is looked for */
  #planned({ name, passage, schemas, before, after, renamed }: Sought, first?: ReplacingPlan): Part {
    const whole = (rest: Plan): WholePlan => (first === undefined ? rest : { ...first, rest })
    const unchanged = first === undefined ? identity(name) : { ...derivedPart(name, first), verdict: proved }
    const [from, to] = [passage.from.of(schemas[0]), passage.to.of(schemas[1])]
    const isOneForm = passage.from.model.int64 === passage.to.model.int64
    if (isOneForm && passage.areSame(from, to) && (renamed?.size ?? 0) === 0) return unchanged
    const isContained = (): boolean => passage.asIs(from, to).verdict === 'contained'
    const asIs = unseenObstacles(passage, [from, to], keep, renamed)
    if (passage.direction === 'result' && asIs.length === 0 && isContained()) return unchanged
    const {
      plan: rest,
      obstacles,
      filled,
      isWeak,
    } = derive(passage, from, to, renamed, addressedBy(name, after))
    const plan = whole(rest)
    const unseen = rest.kind === 'keep' ? asIs : unseenObstacles(passage, [from, to], rest, renamed)
    const steps = [...stepsOf(plan), ...filled.map((path) => `fills in ${path}`)]
    if (unseen.length > 0) return { ...written(name, [...obstacles, ...unseen]), plan, steps }
    if (obstacles.length > 0 && !(rest.kind === 'keep' && isContained()))
      return { ...written(name, obstacles), plan, steps }
    const image = passage.asIs(imageOf(rest, from, passage.from.resolve), to)
    if (image.verdict === 'contained')
      return steps.length === 0 ? unchanged : { ...derivedPart(name, plan, steps, isWeak), verdict: proved }
    if (rest.kind === 'keep' && image.verdict === 'not-contained') {
      const text = changeText(passage, from, to)
      return { ...written(name, [{ path: '', text, witness: image.witness }]), plan, steps }
    }
    const verdict = this.attack(name, plan, before, after)
    if (verdict.kind === 'held' && verdict.cases === 0) {
      const text = `nothing decides whether ${passage.receiver} accepts every value of ${passage.sender}, and no value to try was found`
      return { ...written(name, [{ path: '', text }]), plan, steps }
    }
    if (verdict.kind !== 'refuted') return { ...derivedPart(name, plan, steps, isWeak), verdict }
    const text = `${passage.receiver} does not accept every value of ${passage.sender}`
    return { ...written(name, [{ path: '', text, witness: verdict.value }]), plan, steps }
  }
}

/** Params that callers send elsewhere than in a body. */
function addressedBy(name: PartName, { rest }: Operation): ReadonlySet<string> {
  return new Set(name === 'params' ? rest.parameters.map(({ param }) => param) : [])
}

const proved: Verdict = { kind: 'proved' }

function identity(name: PartName): Part {
  return { name, kind: 'identity', plan: keep, steps: [], obstacles: [], verdict: proved }
}

function derivedPart(
  name: PartName,
  plan: WholePlan,
  steps: readonly string[] = stepsOf(plan),
  isWeak = false,
): Omit<Part, 'verdict'> {
  return { name, kind: 'derived', plan, steps, obstacles: [], ...(isWeak && { isWeak }) }
}

function written(name: PartName, obstacles: readonly Obstacle[]): Part {
  return { name, kind: 'written', plan: keep, steps: [], obstacles, verdict: { kind: 'open' } }
}

function haveSameStatuses(before: Operation, after: Operation): boolean {
  const statusesOf = ({ rest: { status, statuses = [status] } }: Operation) => statuses.join()
  return statusesOf(before) === statusesOf(after)
}

/** Only their similarity pairs the two operations. */
function unsure(part: Part, after: Operation, score: number): Part {
  const text = `paired with ${after.name} only by similarity (${score.toFixed(2)})`
  return { ...part, ...written(part.name, [{ path: '', text }, ...part.obstacles]) }
}

/** Why results of the next version arrive in media types that the older one does not have. */
function lostMedia(before: Operation, after: Operation): string | undefined {
  const kinds = ({ rest }: Operation): ReadonlySet<string> =>
    new Set(rest.answers === undefined ? ['json'] : rest.answers.map(({ kind }) => kind))
  const known = kinds(before)
  const added = [...kinds(after)].filter((kind) => !known.has(kind))
  return added.length === 0 ? undefined : `it also answers ${added.join(', ')}`
}
