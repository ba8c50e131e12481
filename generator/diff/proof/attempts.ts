import { member } from '../../document/cursor.js'
import type { Change, Comparison, Sent } from '../change/change.js'
import type { Met } from '../change/place.js'
import type { Side } from '../change/side.js'
import { isFailure } from './calls/calls.js'
import type { Pair } from './calls/pair.js'
import { Replies, type Versions } from './calls/replies.js'
import type { Showing } from './calls/shown-by.js'
import { Version } from './calls/version.js'
import { isRemoval, schemeOf, showingAround, showingOf } from './showing.js'

/** One way to show a change, and the change as the operation meets it where that is tried. */
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

  /** Changes that break or may break, by the operations that meet them. */
  readonly #met = new Map<string, (Met & Pick<Change, 'fingerprint' | 'protocols'>)[]>()

  /** Names of operations that take what the document asks of callers in both versions. */
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
      before?.has(pair.old) && after?.has(pair.new) && pair.protocol === undefined ? [pair.new] : [],
    )
    const olds = (isOfRest: boolean): Map<string, string> =>
      new Map(
        pairs.flatMap((pair) => ((pair.protocol === 'rest') === isOfRest ? [[pair.new, pair.old]] : [])),
      )
    this.#olds = olds(false)
    this.#oldsOfRest = olds(true)
    if (old.model !== undefined && fresh.model !== undefined)
      this.#versions = { old: new Version(old.model), new: new Version(fresh.model) }
    this.#replies = new Replies(changes, this.#versions, old, fresh)
  }

  /** Whether there is something to say of a change: known for less than what, since replies take long to make. */
  has(change: Change): boolean {
    const { sent } = change.evidence ?? {}
    if (sent !== undefined && sent.status?.startsWith('2') !== true) return true
    const pair = this.#pairOf(change)
    if (pair !== undefined && showingOf(change, pair, this.#rivalsOf(change)) !== undefined) return true
    return this.of(change) !== undefined
  }

  /** The likeliest first; the reason where there is none, and undefined where nothing can show the change. */
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

  /** Other operations that meet a change; of what the document says of all of them, a few. */
  #elsewhere(change: Change): readonly Partial<Change>[] {
    const { id, evidence } = change
    if (id === 'server-path-changed')
      return [...this.#olds.keys()].slice(0, 3).map((operation) => ({ operation }))
    if (id === 'rpc-path-changed') return this.#called().slice(0, 3)
    const scheme = schemeOf(change)
    if (scheme !== undefined) return this.#askingFor(scheme).slice(0, 3)
    if (!id.startsWith('api-global-security-')) return evidence?.elsewhere ?? []
    return this.#inheriting.slice(0, 3).map((operation) => ({ operation }))
  }

  /** Operations that both versions can be called for over JSON-RPC. */
  #called(): readonly Partial<Change>[] {
    const isCalled = (version: 'old' | 'new', name: string): boolean =>
      (this.#versions?.[version].operation(name)?.rpc ?? false) !== false
    return [...this.#olds].flatMap(([operation, old]) =>
      isCalled('old', old) && isCalled('new', operation) ? [{ operation }] : [],
    )
  }

  /** Operations that ask for credentials of a scheme in both versions. */
  #askingFor(scheme: string): readonly Partial<Change>[] {
    const isAsked = (version: 'old' | 'new', name: string): boolean =>
      this.#versions?.[version].operation(name)?.security.some((one) => Object.hasOwn(one, scheme)) === true
    return [...this.#olds].flatMap(([operation, old]) =>
      isAsked('old', old) && isAsked('new', operation) ? [{ operation }] : [],
    )
  }

  /** In the operation that a change names. */
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
    return change.evidence && 'no call leads there: the service sends it of its own accord'
  }

  /** As an answer or a message that is no result; over REST, but for problems and streams, which JSON-RPC has too. */
  #reply(change: Change, sent: Sent): Attempt[] {
    const { evidence, path } = change
    const pair = this.#replies.pairOf(sent)
    const isOfBoth = isFailure(sent) || (sent.stream !== undefined && sent.method === undefined)
    const protocols = change.protocols.filter((protocol) => protocol === 'rest' || isOfBoth)
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
    return typeof showing === 'object' ? attemptsOf(found, { ...showing, sent }, rivals) : []
  }

  /** Other changes of the operation with the same direction and a common protocol. */
  #rivalsOf({ fingerprint, direction, operation, protocols }: Change): readonly Met[] {
    const met = this.#met.get(operation ?? '') ?? []
    const isMet = (one: Pick<Change, 'protocols'>): boolean =>
      one.protocols.some((protocol) => protocols.includes(protocol))
    return met.filter((one) => one.fingerprint !== fingerprint && one.direction === direction && isMet(one))
  }

  #pairOf({ id, operation, protocols }: Change): Pair | undefined {
    const versions = this.#versions
    const name = operation ?? ''
    if (isRemoval(id)) {
      const gone = versions?.old.operation(name)
      return versions && gone && { ...versions, before: gone, after: gone }
    }
    const parted = protocols.includes('jsonrpc') ? undefined : this.#oldsOfRest.get(name)
    const before = versions?.old.operation(parted ?? this.#olds.get(name) ?? '')
    const after = versions?.new.operation(name)
    if (versions === undefined || before === undefined || after === undefined) return undefined
    return { ...versions, before, after }
  }
}

function attemptsOf(change: Change, showing: Showing, rivals: readonly Met[]): Attempt[] {
  const around = showingAround(change, showing, rivals)
  if (around === undefined) return [{ change, showing }]
  const { isAlone } = around
  return [
    { change, showing: { ...showing, ...(isAlone && { isAlone }) } },
    { change, showing: around },
  ]
}

function inheriting({ endpoints }: Side): ReadonlySet<string> {
  const found = endpoints.filter(
    ({ webhook, operation }) => !webhook && member(operation, 'security') === undefined,
  )
  return new Set(found.map(({ name }) => name))
}
