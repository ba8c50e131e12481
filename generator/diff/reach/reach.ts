import { createHash } from 'node:crypto'
import { type Cursor, compareText } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { addToGroup } from '../../document/grouping.js'
import { own } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import { defaultOf } from '../../schema/defaults/defaults.js'
import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Evidence } from '../change/change.js'
import type { Collector } from '../change/collector.js'
import { type Level, levels } from '../change/level.js'
import { levelIfPromised } from '../change/lifecycle.js'
import { placeAmong } from '../change/place.js'
import { joined } from '../change/protocol.js'
import { asObject, type Endpoint } from '../change/side.js'
import { type Subject, type Traits, titleFor } from '../change/subject.js'
import { isBad, type Judged, judge } from '../decide/judgement.js'
import { isOfPattern } from '../decide/obstacle.js'
import { isSentElsewhere } from '../decide/sent-elsewhere.js'
import { Wholes } from '../decide/whole.js'
import { schemasOf } from '../same/discrimination.js'
import { dereferencedBoth } from '../same/within.js'
import type { SchemaGraph } from '../schema/graph.js'
import { messageFor } from '../schema/message.js'
import type { SchemaFinding } from '../schema/node.js'
import { outline } from '../schema/outline.js'
import {
  addTo,
  byProtocol,
  type Entry,
  elsewhereOf,
  type Group,
  identityOf,
  isNearer,
  type Occurrence,
  placeOf,
  positionOf,
  protocolsOf,
  type ReportedChange,
  spread,
} from './occurrences.js'
import {
  isKept,
  isOfOthers,
  isOfWhole,
  isRespelled,
  judgedOfAny,
  levelOf,
  pathOf,
  type Route,
  Routes,
} from './route.js'

/** Finds the operations that schema changes reach, and the routes to the changes. */
export class Reach {
  readonly wholes: Wholes
  readonly #entries: Entry[] = []
  readonly #changes = new Map<string, ReportedChange>()
  readonly #shared = new Map<SchemaFinding, ReportedChange>()

  constructor(
    readonly graph: SchemaGraph,
    readonly collector: Collector,
  ) {
    this.wholes = new Wholes(graph.judgement)
  }

  /** Compares the schemas of one subject of an operation. */
  add(pair: Pick<Entry, 'before' | 'after'>, subject: Subject, a: Cursor, b: Cursor): void {
    const { graph } = this
    const [one, other] = dereferencedBoth([graph.old, a], [graph.new_, b])
    if (graph.sameness.of(one.value, other.value)) return
    const { before, after } = pair
    const isOwn = (cursor: Cursor, { operation }: Endpoint): boolean =>
      cursor.pointer.startsWith(`${operation.pointer}/`)
    const owner =
      isOwn(one, before) || isOwn(other, after)
        ? { shared: undefined, outline: null }
        : graph.owner(one, other)
    const { direction, holder, isLoose = false, isHeader = false, isAlwaysSent = false, lists } = subject
    const { isInPath = false, isEmptyIgnored = false, isEmptyAbsent = false, fields, isFile } = subject
    const { isPreference = false } = subject
    const traits: Traits = {
      ...{ direction, holder, isLoose, isHeader, isInPath, isEmptyIgnored, isEmptyAbsent, isAlwaysSent },
      isPreference,
      ...(isFile !== undefined && { isFile }),
      ...(lists !== undefined && { lists }),
      ...(fields !== undefined && { fields }),
    }
    const place = { kind: '', isRoot: true, owner, place: '' } as const
    const node = graph.enter({ traits, a: one, b: other, ...place })
    this.#entries.push({ before, after, subject, old: a.value, new: b.value, node })
  }

  /** Operations of the new version whose schemas differ in any way. */
  different(): ReadonlySet<Endpoint> {
    return new Set(this.#entries.map(({ after }) => after))
  }

  /** Reports each change once, for the first operation by name that it reaches. */
  report(): void {
    const routes = new Routes(this.graph.nodes)
    const byOperation = new Map<Endpoint, Entry[]>()
    for (const entry of this.#entries) addToGroup(byOperation, entry.after, entry)
    const endpoints = [...byOperation].sort(([a], [b]) => compareText(a.name, b.name))
    for (const [, entries] of endpoints) this.#collect(entries, routes)
    const groups = [...this.#changes.values()].flatMap((change) => change.groups)
    const rank = ({ first: { level } }: Group): number => levels.indexOf(level)
    const pointer = ({ first: { finding } }: Group): string => finding.a.pointer
    groups.sort((a, b) => rank(a) - rank(b) || compareText(pointer(a), pointer(b)))
    for (const group of groups) this.#report(group)
  }

  /** Finds each change in an operation: at its worst level, and on the shortest route with that level. */
  #collect(entries: readonly Entry[], routes: Routes): void {
    const worst = new Map<ReportedChange, Occurrence>()
    for (const entry of entries)
      for (const route of routes.from(entry.node))
        for (const finding of route.node.findings) {
          if (isRespelled(route, finding) || isOfOthers(route, finding)) continue
          const protocols = protocolsOf(entry, finding, pathOf(route))
          if (protocols.length === 0) continue
          const change = this.#changeOf(entry, route, finding)
          const { level: found, evidence } = this.#judged(entry, route, finding)
          const isElsewhere = isBad({ level: found }) && isOfWhole(route) && isSentElsewhere(entry, finding)
          const level = levelIfPromised(entry.before, isElsewhere ? 'dangerous' : found)
          if (isBad({ level })) change.places.push(placeOf({ entry, route, finding }))
          const known = worst.get(change)
          const isKnown = entry.subject.isKnownToRpc === true && finding.by === 'schema'
          const isKnownToRpc = (isKnown || isElsewhere) && known?.isKnownToRpc !== false
          const nearer =
            known === undefined || isNearer(level, route, finding, known)
              ? { entry, route, finding, level, protocols, ...(evidence !== undefined && { evidence }) }
              : known
          worst.set(change, { ...nearer, isKnownToRpc })
        }
    for (const [change, occurrence] of worst) for (const one of byProtocol(occurrence)) addTo(change, one)
  }

  /**
   * The level of a change in one operation. If validators fill in the default of a property, callers may omit it. The
   * schema may refuse a new default, and callers may depend on a removed one.
   */
  #judged(
    entry: Entry,
    route: Route,
    finding: SchemaFinding,
  ): { readonly level: Level; readonly evidence?: Evidence } {
    if (isKept(this.graph.described.new, route, finding)) return { level: 'compatible' }
    const ofAny = judgedOfAny(this.graph.described.old, route, finding)
    if (ofAny !== undefined) return ofAny
    const level = levelOf(route, finding)
    const { id, b } = finding
    const { before, after, subject } = entry
    if (this.#keepsDefault(entry, route, finding)) return { level: 'compatible' }
    const isRequired = level === 'dangerous' && hasTrait(id, 'required with default')
    const isNew = level === 'compatible' && hasTrait(id, 'filled in')
    const hasDefault =
      entryOf(id).action === 'default-value-removed' ||
      defaultOf(schemasOf(this.graph.new_), asObject(b.value)) !== undefined
    if (!(isRequired || isNew) || !hasDefault) return { level }
    if (after.modelled === undefined || subject.direction !== 'request') return { level }
    const path = subject.path + pathOf(route) + finding.path
    const filled = this.filled(entry, placeAmong({ id, direction: 'request', path }, after.modelled))
    if (filled === undefined || (isNew && !isBad(filled))) return { level }
    const { witness } = filled.evidence
    const { body } = before.modelled?.rest ?? {}
    const isBody = subject.holder === 'body' && body?.kind === 'param'
    const sent = isBody ? own(asObject(witness), body.param ?? 'body') : witness
    return {
      level: filled.level,
      evidence: sent === undefined ? filled.evidence : { witness: sent, at: '' },
    }
  }

  /** Whether the default of a parameter stays: the one that changed is in a branch, where validators fill in none. */
  #keepsDefault({ subject, old, new: fresh }: Entry, route: Route, { id, path }: SchemaFinding): boolean {
    const isDefault = entryOf(id).action !== undefined && hasTrait(id, 'filled in')
    if (!isDefault || subject.holder !== 'parameter' || pathOf(route) + path !== '') return false
    const [was = null, is = null] = [
      defaultOf(schemasOf(this.graph.old), asObject(old)),
      defaultOf(schemasOf(this.graph.new_), asObject(fresh)),
    ]
    return fingerprint(was) === fingerprint(is)
  }

  /**
   * Judges what the new version refuses only because it fills in the default of a property, or no longer does. `way`:
   * the path of the property. Undefined if no schema there has a default for it.
   */
  filled({ before, after }: Pick<Entry, 'before' | 'after'>, way: readonly string[]): Judged | undefined {
    const { old, new_ } = this.graph
    const [was, is] = [before.modelled, after.modelled]
    if (was === undefined || is === undefined || old.model === undefined || new_.model === undefined)
      return undefined
    const sides = [
      { model: old.model, operation: was },
      { model: new_.model, operation: is },
    ] as const
    const verdict = this.wholes.fills(...sides, way)
    return verdict && judge(verdict)
  }

  /** The change of a finding. In a shared schema, neither the operation nor the route distinguishes changes. */
  #changeOf({ before, subject }: Entry, { node }: Route, finding: SchemaFinding): ReportedChange {
    const protocols = finding.protocols ?? subject.protocols ?? []
    const known = this.#shared.get(finding)
    if (known !== undefined && String(known.protocols) === String(protocols)) return known
    const { owner, place } = node
    const at = owner.shared === undefined ? positionOf(subject) + place : place
    const parts: readonly Json[] = [at + finding.path, finding.values, protocols]
    const key = fingerprint([finding.id, owner.shared ?? owner.outline ?? before.name, ...parts])
    const change = this.#changes.get(key) ?? { protocols, groups: [], places: [] }
    this.#changes.set(key, change)
    if (owner.shared !== undefined) this.#shared.set(finding, change)
    return change
  }

  /** Identifies copies of one schema that changed alike: everything except their position. */
  #copyOf({ route: { node }, finding }: Occurrence, path: string): string {
    const { old, new_ } = this.graph
    const [was, is] = [outline(old, node.a.value), outline(new_, node.b.value)]
    const name = path.slice(path.lastIndexOf('/'))
    const identity = fingerprint([finding.id, finding.values, finding.path, name, was, is])
    return createHash('sha256').update(identity).digest('hex').slice(0, 16)
  }

  #report({ first, occurrences, places: all }: Group): void {
    const { entry, route, finding, level } = first
    const protocols = occurrences.map((one) => one.protocols).reduce(joined)
    const { path, evidence } = elsewhereOf(first)
    const elsewhere = level === 'compatible' ? [] : spread(occurrences).map(elsewhereOf)
    const names = new Set(occurrences.map((occurrence) => occurrence.entry.after.name))
    const places = level === 'compatible' ? [] : all.filter(({ operation }) => names.has(operation))
    this.collector.addReached({
      finding: {
        id: finding.id,
        message: messageFor(titleFor(protocols, entry.subject), pathOf(route) + finding.path, finding.id, {
          ...finding,
          undecided: finding.undecided ?? undecidedBy(evidence),
        }),
        path,
        old: finding.a,
        new: finding.b,
        copy: this.#copyOf(first, path),
        evidence: {
          ...evidence,
          ...(elsewhere.length > 0 && { elsewhere }),
          ...(places.length > 0 && { places }),
        },
      },
      level,
      protocols,
      endpoints: occurrences.map(({ entry: { after } }) => after),
      identity: identityOf(occurrences),
    })
  }
}

/** The pattern that leaves a change undecided. */
function undecidedBy({ reason }: Evidence): string | undefined {
  return reason !== undefined && isOfPattern(reason) ? reason : undefined
}
