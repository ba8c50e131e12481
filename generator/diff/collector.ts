import { createHash } from 'node:crypto'
import { canonical } from '../contains/value.js'
import type { Json } from '../load/document.js'
import type { Cursor } from '../model/cursor.js'
import { catalogueEntry } from './catalogue.js'
import type { Change, Evidence, Level, Proof, Protocol } from './change.js'
import { type Endpoint, placeOf, type Side } from './side.js'

/** What a topic says of one change; the rest follows from the operation and the catalogue. */
export interface Finding {
  readonly id: string
  readonly message: string
  /** Where the catalogue's own level is not the one that counts. */
  readonly level?: Level
  /** Both where absent. */
  readonly protocols?: readonly Protocol[]
  readonly path?: string
  readonly old?: Cursor | undefined
  readonly new?: Cursor | undefined
  /** What changed in value, for the fingerprint: not the message, not the line. */
  readonly values?: readonly (Json | undefined)[]
  readonly evidence?: Evidence
}

/** Gathers the changes of a whole comparison. */
export class Collector {
  readonly changes: Change[] = []
  readonly #seen = new Set<string>()

  constructor(
    readonly old: Side,
    readonly new_: Side,
  ) {}

  /** The level of a finding: the catalogue's, where it has none of its own. */
  levelOf({ id, level }: Pick<Finding, 'id' | 'level'>): Level {
    return level ?? catalogueEntry(id)?.level ?? 'dangerous'
  }

  /** Adds a change; one that was found before in the same operation by the same values counts once. */
  add(finding: Finding, endpoint?: Endpoint): void {
    const entry = catalogueEntry(finding.id)
    if (entry === undefined) throw new TypeError(`There is no change id ${finding.id}`)
    const { id, message, path = '', values = [] } = finding
    const level = this.levelOf(finding)
    const protocols = concerned(finding.protocols, endpoint)
    if (protocols.length === 0) return
    const operation = endpoint?.name ?? null
    const said = canonical([
      id,
      operation,
      entry.direction,
      path,
      values.map((value) => value ?? null),
      ...(finding.protocols ?? []),
    ])
    const fingerprint = createHash('sha256').update(said).digest('hex').slice(0, 16)
    if (this.#seen.has(fingerprint)) return
    this.#seen.add(fingerprint)
    this.changes.push({
      id,
      level,
      protocols,
      operation,
      operations: operation === null ? [] : [operation],
      direction: entry.direction,
      path,
      message,
      old: finding.old === undefined ? null : placeOf(this.old, finding.old.pointer),
      new: finding.new === undefined ? null : placeOf(this.new_, finding.new.pointer),
      proof: proofOf(level, finding.evidence),
      handlers: endpoint === undefined || endpoint.webhook || level === 'info' ? [] : [endpoint.name],
      fingerprint,
      waiver: null,
      ...(finding.evidence !== undefined && { evidence: finding.evidence }),
    })
  }
}

function concerned(protocols: readonly Protocol[] = ['rest', 'jsonrpc'], endpoint?: Endpoint): Protocol[] {
  const has = (protocol: Protocol): boolean =>
    endpoint === undefined || endpoint.webhook || protocol === 'rest' || endpoint.rpc !== false
  return protocols.filter(has)
}

function proofOf(level: Level, evidence: Evidence | undefined): Proof {
  if (evidence === undefined || level === 'compatible' || level === 'info')
    return { status: 'not-applicable' }
  if (evidence.reason !== undefined) return { status: 'unproven', reason: evidence.reason }
  return { status: 'unproven', reason: 'the witness has not been made into a call' }
}
