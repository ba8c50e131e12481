import type { Operation } from '../../model/model.js'
import { hasTrait } from '../change/catalogue.js'
import type { Change, Comparison, Sent } from '../change/change.js'
import { type Met, placeAmong } from '../change/place.js'
import { among, whereNames, whereStatuses } from '../change/protocol.js'
import type { Side } from '../change/side.js'
import { inheriting } from '../change/side.js'
import { isRequirement, wholesOf } from './alone.js'
import { isFailure } from './calls/answers.js'
import { keywordsOf } from './calls/attribution.js'
import type { Pair } from './calls/pair.js'
import { Replies, type Versions } from './calls/replies.js'
import type { Beside, Showing } from './calls/shown-by.js'
import { Version } from './calls/version.js'
import { firstChoice } from './instances/choice.js'
import { schemeOf, showingAround, showingOf } from './showing.js'

/** One way to show a change, with the change as it occurs in the operation that is tried. */
export interface Attempt {
  readonly change: Change
  readonly showing: Showing
}

/** The ways to show each change of a comparison. */
export class Attempts {
  readonly #versions: Versions | undefined
  readonly #olds: ReadonlyMap<string, string>
  readonly #oldsOfRest: ReadonlyMap<string, string>
  readonly #replies: Replies

  /** Breaking and dangerous changes by operation. */
  readonly #met = new Map<string, (Met & Pick<Change, 'fingerprint' | 'protocols'>)[]>()

  /** The operations that inherit the document's security in both versions. */
  readonly #inheriting: readonly string[]

  constructor({ pairs, changes }: Comparison, old: Side, fresh: Side) {
    for (const { id, direction, fingerprint, level, evidence, protocols, ...change } of changes) {
      if (level !== 'breaking' && level !== 'dangerous') continue
      for (const { operation, path } of [change, ...(evidence?.elsewhere ?? [])]) {
        const met = this.#met.get(operation ?? '') ?? []
        this.#met.set(operation ?? '', met)
        met.push({ id, direction, fingerprint, protocols, path, old: change.old, new: change.new })
      }
    }
    const [before, after] = [old, fresh].map(inheriting)
    this.#inheriting = pairs.flatMap((pair) =>
      before?.has(pair.old) && after?.has(pair.new) && pair.callers === undefined ? [pair.new] : [],
    )
    const olds = (isOfRest: boolean): Map<string, string> =>
      new Map(pairs.flatMap((pair) => ((pair.callers === 'path') === isOfRest ? [[pair.new, pair.old]] : [])))
    this.#olds = olds(false)
    this.#oldsOfRest = olds(true)
    if (old.model !== undefined && fresh.model !== undefined)
      this.#versions = { old: new Version(old.model), new: new Version(fresh.model) }
    this.#replies = new Replies(changes, this.#versions, old, fresh)
  }

  /** Whether `of` returns something for a change. Cheaper, because replies take long to build. */
  has(change: Change): boolean {
    const { sent } = change.evidence ?? {}
    if (sent !== undefined && sent.status?.startsWith('2') !== true) return true
    const pair = this.#pairOf(change)
    if (pair !== undefined && showingOf(change, pair, this.#rivalsOf(change)) !== undefined) return true
    return this.of(change) !== undefined
  }

  /**
   * The attempts to show a change, the likeliest first. A reason if there are none. Undefined if nothing can show the
   * change.
   */
  of(change: Change): readonly Attempt[] | string | undefined {
    const { evidence } = change
    if (this.#versions === undefined)
      return evidence && 'a document has errors, so that nothing is generated from it'
    const own = this.#at(change)
    const others = this.#elsewhere(change).flatMap((known) => {
      const found = this.#at({ ...change, ...known })
      return typeof found === 'object' ? found : []
    })
    if (typeof own === 'object') return [...own, ...others]
    return others.length > 0 ? others : own
  }

  /** Other operations in which a change occurs. A few if it is a change of the whole document. */
  #elsewhere(change: Change): readonly Partial<Change>[] {
    const { id, evidence } = change
    if (id === 'server-path-changed')
      return [...this.#olds.keys()].slice(0, 3).map((operation) => ({ operation }))
    if (id === 'rpc-path-changed') return this.#called().slice(0, 3)
    if (id === 'tool-search-added' || id === 'tool-search-removed') return this.#offered().slice(0, 3)
    const scheme = schemeOf(change)
    if (scheme !== undefined) return this.#askingFor(scheme).slice(0, 3)
    if (!hasTrait(id, 'inherited')) return evidence?.elsewhere ?? []
    return this.#inheriting.slice(0, 3).map((operation) => ({ operation }))
  }

  /** Operations that can be called over JSON-RPC in both versions. */
  #called(): readonly Partial<Change>[] {
    const isCalled = (version: 'old' | 'new', name: string): boolean =>
      (this.#versions?.[version].operation(name)?.rpc ?? false) !== false
    return [...this.#olds].flatMap(([operation, old]) =>
      isCalled('old', old) && isCalled('new', operation) ? [{ operation }] : [],
    )
  }

  /** Operations that agents can call in both versions. */
  #offered(): readonly Partial<Change>[] {
    const isTool = (version: 'old' | 'new', name: string): boolean =>
      this.#versions?.[version].operation(name)?.tool !== undefined
    return [...this.#olds].flatMap(([operation, old]) =>
      isTool('old', old) && isTool('new', operation) ? [{ operation }] : [],
    )
  }

  /** Operations that require credentials of a scheme in both versions. */
  #askingFor(scheme: string): readonly Partial<Change>[] {
    const isAsked = (version: 'old' | 'new', name: string): boolean =>
      this.#versions?.[version].operation(name)?.security.some((one) => Object.hasOwn(one, scheme)) === true
    return [...this.#olds].flatMap(([operation, old]) =>
      isAsked('old', old) && isAsked('new', operation) ? [{ operation }] : [],
    )
  }

  /** The attempts in the change's own operation. */
  #at(change: Change): readonly Attempt[] | string | undefined {
    const { sent } = change.evidence ?? {}
    const isResult = sent === undefined || sent.status?.startsWith('2') === true
    const pair = isResult ? this.#pairOf(change) : undefined
    const rivals = this.#rivalsOf(change)
    const showing = pair && showingOf(change, pair, rivals)
    const attempts = typeof showing === 'object' ? attemptsOf(change, showing, rivals) : []
    if (sent !== undefined) attempts.push(...this.#reply(change, sent))
    if (attempts.length > 0) return attempts
    if (pair !== undefined) return typeof showing === 'string' ? showing : undefined
    return change.evidence && 'no call leads there: the service sends it without a request'
  }

  /**
   * Attempts with a response or message that is not a result. They use REST only, except for problems and streams,
   * which JSON-RPC has too.
   */
  #reply(change: Change, sent: Sent): Attempt[] {
    const { evidence, path } = change
    const pair = this.#replies.pairOf(sent)
    const isOfBoth = isFailure(sent) || (sent.stream !== undefined && sent.method === undefined)
    const protocols = change.protocols.filter((protocol) => whereStatuses.includes(protocol) || isOfBoth)
    if (pair === undefined || protocols.length === 0) return []
    const within = (place: string): string => place.slice(sent.base.length)
    const at = evidence?.at === undefined ? {} : { at: within(evidence.at) }
    const found: Change = {
      ...change,
      path: within(path),
      protocols,
      evidence: { ...evidence, ...at },
    }
    const rivals = this.#rivalsOf(change).map((rival) => ({ ...rival, path: within(rival.path) }))
    const showing = showingOf(found, pair, rivals)
    if (typeof showing !== 'object') return []
    const isPiece = sent.stream !== undefined && sent.status?.startsWith('2') === true
    const streaming = isPiece ? this.#pairOf(change) : undefined
    return attemptsOf(found, { ...showing, sent, ...(streaming && { streaming }) }, rivals)
  }

  /** Other changes of the operation with the same direction and a common protocol. A change of its address is met by requests. */
  #rivalsOf({ fingerprint, direction, operation, protocols }: Change): readonly Met[] {
    const met = this.#met.get(operation ?? '') ?? []
    const isMet = (one: Pick<Change, 'protocols'>): boolean =>
      one.protocols.some((protocol) => protocols.includes(protocol))
    return met.filter(
      (one) => one.fingerprint !== fingerprint && one.direction === (direction ?? 'request') && isMet(one),
    )
  }

  #pairOf(change: Change): Pair | undefined {
    const versions = this.#versions
    if (versions === undefined) return undefined
    const { id, operation } = change
    const name = operation ?? ''
    const before = hasTrait(id, 'removal') ? versions.old.operation(name) : this.#oldOf(change)
    if (before === undefined) return undefined
    const after =
      hasTrait(id, 'removal') || id === 'rpc-method-removed' ? before : versions.new.operation(name)
    return after && { ...versions, before, after }
  }

  /**
   * The old operation whose callers notice the change. If two lead to one new operation, the one that contains the
   * change.
   */
  #oldOf({ id, operation, protocols, old }: Change): Operation | undefined {
    const known = this.#versions?.old
    const isIn = ({ source }: Operation): boolean => old?.pointer.startsWith(source.pointer) === true
    if (id === 'rpc-method-removed') return known?.model.operations.find(isIn)
    const ofRest = among(protocols, whereNames) ? undefined : this.#oldsOfRest.get(operation ?? '')
    const found = [ofRest, this.#olds.get(operation ?? '')].flatMap(
      (name) => known?.operation(name ?? '') ?? [],
    )
    return found.find(isIn) ?? found[0]
  }
}

function attemptsOf(change: Change, showing: Showing, rivals: readonly Met[]): Attempt[] {
  const { before } = showing.pair
  const around = showingAround(change, showing, rivals)
  if (around === undefined) {
    if (rivals.some((rival) => isElsewhere(change, rival, before)))
      return [{ change, showing: { ...showing, isAlone: true } }]
    const beside = chosenWith(change, showing, rivals)
    return [{ change, showing: beside.length === 0 ? showing : { ...showing, isAlone: true, beside } }]
  }
  const { isAlone } = around
  const partners = rivals.filter((rival) => isRename(change, rival) || isRename(rival, change))
  const together = partners.map((met) => ({
    ...{ ...showing, isAlone: true as const },
    partner: { met, way: placeAmong(met, before) },
  }))
  const all = [{ ...showing, ...(isAlone && { isAlone }) }, around, ...(isAlone ? together : [])]
  return all.map((one) => ({ change, showing: one }))
}

/**
 * Whether one change requires a property of an object and another removes a property from it: together they are a
 * rename.
 */
function isRename(required: Met, other: Met): boolean {
  const isRequest = required.direction !== 'response'
  const counterpart = isRequest ? 'property removed' : 'property added'
  if (!isRequirement(required) || !hasTrait(other.id, counterpart)) return false
  const [object, property] = isRequest ? [required.old, other.old] : [required.new, other.new]
  return property?.pointer.replace(/\/properties\/[^/]*$/, '') === object?.pointer
}

/** Whether the same keywords changed in another schema of the same value, as in another branch. */
function isElsewhere(change: Change, rival: Met, before: Operation): boolean {
  const [ours, theirs] = [change, rival].map(keywordsOf)
  const isSame = ours !== undefined && String(ours) === String(theirs)
  const [way, other] = [change, rival].map((one) => String(placeAmong(one, before)))
  return isSame && way === other && rival.old?.pointer !== change.old?.pointer
}

/** The other changes whose values a schema reads together with those of a change, such as two branches of a union. */
function chosenWith(change: Change, { pair, way, isAnyCall }: Showing, rivals: readonly Met[]): Beside[] {
  if (rivals.length === 0 || isAnyCall === true) return []
  const { accepting, rejecting } = wholesOf(change, pair)
  const depths = [accepting, rejecting].flatMap((whole) => firstChoice(whole, way) ?? [])
  if (depths.length === 0) return []
  const shared = way.slice(0, Math.min(...depths))
  return rivals
    .map((rival) => ({ way: placeAmong(rival, pair.before), isOfAbsence: isRequirement(rival) }))
    .filter((rival) => shared.every((name, index) => rival.way[index] === name))
}
