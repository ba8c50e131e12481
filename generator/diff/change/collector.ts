import { createHash } from 'node:crypto'
import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { fingerprint } from '../../schema/canonical.js'
import { type ChangeId, entryOf } from './catalogue.js'
import type { Change, Evidence, Proof } from './change.js'
import { reachesHandler } from './handlers.js'
import type { Level } from './level.js'
import { callableProtocols, identifying, servedProtocols } from './protocol.js'
import { type Endpoint, positionOf, type Side } from './side.js'

/** What a comparer reports of one change. The operation and the catalogue give the rest. */
export interface Finding {
  readonly id: ChangeId
  readonly message: string
  /** If it differs from the catalogue's level. */
  readonly level?: Level
  /** Both if absent. */
  readonly protocols?: readonly Protocol[]
  readonly path?: string
  readonly old?: Cursor | undefined
  readonly new?: Cursor | undefined
  /** The values that changed, for the fingerprint. It leaves out the message and the line. */
  readonly values?: readonly (Json | undefined)[]
  readonly evidence?: Evidence
  /** For copies of one schema that changed alike. */
  readonly copy?: string
}

/** A finding with the operations that it reaches. */
export interface Reached {
  readonly finding: Finding
  readonly level: Level
  readonly protocols: readonly Protocol[]
  /** The first one gives the path. */
  readonly endpoints: readonly Endpoint[]
  /** The values that distinguish it from other changes with the same id and direction. */
  readonly identity: readonly Json[]
}

/** Collects the changes of a comparison. */
export class Collector {
  readonly changes: Change[] = []
  readonly #seen = new Set<string>()
  /** The protocols over which a caller of one of the documents can call something. */
  readonly protocols: readonly Protocol[]
  /** The protocols that have callers who may notice a change. */
  readonly #called: readonly Protocol[]

  constructor(
    readonly old: Side,
    readonly new_: Side,
  ) {
    this.protocols = servedProtocols(old, new_)
    this.#called = servedProtocols(old)
  }

  /** The level of a finding, by default the catalogue's. */
  levelOf({ id, level }: Pick<Finding, 'id' | 'level'>): Level {
    return level ?? entryOf(id).level
  }

  /**
   * Adds a change of one operation or of the document. A second change with the same values in an operation is ignored.
   * `baseline`: the operation's name in the old version, which fingerprints use.
   */
  add(finding: Finding, endpoint?: Endpoint, baseline = endpoint?.name): void {
    const { id, path = '' } = finding
    const level = this.levelOf(finding)
    const named = (finding.protocols ?? this.protocols).filter((one) => this.protocols.includes(one))
    const met = { id, direction: entryOf(id).direction, path }
    const callable =
      endpoint === undefined
        ? named.filter((one) => this.#called.includes(one))
        : callableProtocols(named, endpoint, met)
    if (callable.length === 0) return
    const endpoints = endpoint === undefined ? [] : [endpoint]
    const identity = [baseline ?? null, path, valuesOf(finding), identifying(finding.protocols ?? [])]
    const fingerprint = fingerprintOf(id, identity)
    if (this.#seen.has(fingerprint)) return
    this.#seen.add(fingerprint)
    this.#push({ finding, level, protocols: callable, endpoints, identity }, fingerprint)
  }

  /** Adds a schema change with all operations that it reaches. */
  addReached(reached: Reached): void {
    let fingerprint = fingerprintOf(reached.finding.id, reached.identity)
    // Two equal schemas may change alike, and one change may have two levels.
    for (let count = 2; this.#seen.has(fingerprint); count++)
      fingerprint = fingerprintOf(reached.finding.id, [...reached.identity, count])
    this.#seen.add(fingerprint)
    this.#push(reached, fingerprint)
  }

  /** Removes changes that another one says with more detail. */
  withdraw(isSaid: (change: Change) => boolean): void {
    const others = this.changes.filter((change) => !isSaid(change))
    this.changes.splice(0, this.changes.length, ...others)
  }

  #push({ finding, level, protocols, endpoints }: Reached, fingerprint: string): void {
    const { id, message, path = '', evidence, copy } = finding
    const called = reachesHandler({ id, level }) ? endpoints.filter(({ webhook }) => !webhook) : []
    // A callback has the name of its operation.
    const operations = [...new Set(endpoints.map(({ name }) => name))]
    this.changes.push({
      id,
      level,
      protocols,
      operation: operations[0] ?? null,
      operations,
      direction: entryOf(id).direction,
      path,
      message,
      old: finding.old === undefined ? null : positionOf(this.old, finding.old.pointer),
      new: finding.new === undefined ? null : positionOf(this.new_, finding.new.pointer),
      proof: proofOf(level, evidence),
      handlers:
        called.length === endpoints.length ? operations : [...new Set(called.map(({ name }) => name))],
      fingerprint,
      waiver: null,
      ...(evidence !== undefined && { evidence }),
      ...(copy !== undefined && { copy }),
    })
  }
}

function valuesOf({ values = [] }: Finding): Json {
  return values.map((value) => value ?? null)
}

function fingerprintOf(id: ChangeId, identity: readonly Json[]): string {
  const text = fingerprint([id, entryOf(id).direction, ...identity])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function proofOf(level: Level, evidence: Evidence | undefined): Proof {
  if (evidence === undefined || level === 'compatible' || level === 'info')
    return { status: 'not-applicable' }
  if (evidence.reason !== undefined) return { status: 'unproven', reason: evidence.reason }
  return { status: 'unproven', reason: 'the witness has not been made into a call' }
}
