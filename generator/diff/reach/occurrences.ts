import type { Protocol } from 'duet-runtime'
import { compareText } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { hasTrait } from '../change/catalogue.js'
import type { Elsewhere, Evidence, Place } from '../change/change.js'
import { type Level, levels } from '../change/level.js'
import { wayOf } from '../change/place.js'
import {
  protocols as all,
  among,
  asCalled,
  callableProtocols,
  identifying,
  whereJson,
  wherePaths,
} from '../change/protocol.js'
import type { Endpoint } from '../change/side.js'
import type { Subject } from '../change/subject.js'
import { isBad } from '../decide/judgement.js'
import type { SchemaFinding, SchemaNode } from '../schema/node.js'
import { evidenceOf, pathOf, type Route } from './route.js'

/** The schemas of one subject of an operation. */
export interface Entry {
  readonly before: Endpoint
  readonly after: Endpoint
  readonly subject: Subject
  /** The schemas of the subject. */
  readonly old: Json
  readonly new: Json
  readonly node: SchemaNode
}

/** A change as it occurs in one operation. */
export interface Occurrence {
  readonly entry: Entry
  readonly route: Route
  readonly finding: SchemaFinding
  readonly level: Level
  /** What decided the level, if the operation decided it. */
  readonly evidence?: Evidence
  readonly protocols: readonly Protocol[]
  /** Whether it breaks nothing over JSON-RPC, on any route in the operation. */
  readonly isKnownToRpc: boolean
}

/** One change of a shared schema or of an operation's own. One object for each change in a comparison. */
export interface ReportedChange {
  readonly protocols: readonly Protocol[]
  readonly groups: Group[]
  /** Where it breaks callers, or may. */
  readonly places: Place[]
}

/** The occurrences of one change with the same level and protocols. `first`: in the first operation by name. */
export interface Group {
  readonly first: Occurrence
  readonly occurrences: Occurrence[]
  readonly places: readonly Place[]
}

/**
 * The values that distinguish a change from others with its id in any comparison: the route from the first operation in
 * the old version, which does not change while the new one is under review. Neither the name of a shared schema nor
 * whether it is shared counts.
 */
export function identityOf(occurrences: readonly Occurrence[]): Json[] {
  const [first] = [...occurrences].sort((a, b) => compareText(a.entry.before.name, b.entry.before.name))
  if (first === undefined) return []
  const { entry, route, finding } = first
  const { before, subject } = entry
  const protocols = identifying(finding.protocols ?? subject.protocols ?? none)
  return [before.name, positionOf(subject) + pathOf(route) + finding.path, finding.values, protocols]
}

/** The position of a subject's schema. Two parameters may have one name and different locations. */
export function positionOf({ holder, title, variant = '', path }: Subject): string {
  return (holder === 'parameter' ? `${title} ` : variant) + path
}

/** An occurrence as the report shows it. */
export function elsewhereOf({ entry, route, finding, level, evidence: known }: Occurrence): Elsewhere {
  const { subject, after } = entry
  const found = known ?? evidenceOf(route, finding)
  const evidence = level === 'compatible' ? {} : { ...found, ...sentAs(entry) }
  const at = known === undefined ? evidence.at : undefined
  return {
    operation: after.name,
    path: subject.path + pathOf(route) + finding.path,
    evidence: at === undefined ? evidence : { ...evidence, at: subject.path + at },
  }
}

export function placeOf({ entry, route, finding }: Pick<Occurrence, 'entry' | 'route' | 'finding'>): Place {
  const { subject, after } = entry
  const { at } = evidenceOf(route, finding)
  return {
    operation: after.name,
    path: subject.path + pathOf(route) + finding.path,
    ...(at !== undefined && { at: subject.path + at }),
  }
}

/** Adds an occurrence to the group of those that are alike. */
export function addTo({ groups, places }: ReportedChange, occurrence: Occurrence): void {
  const group = groups.find(
    ({ first: { level, protocols } }) =>
      level === occurrence.level &&
      identifying(protocols).join() === identifying(occurrence.protocols).join(),
  )
  if (group === undefined) groups.push({ first: occurrence, occurrences: [occurrence], places })
  else group.occurrences.push(occurrence)
}

/** Splits an occurrence that is harmless only over JSON-RPC into one for each protocol. */
export function byProtocol(occurrence: Occurrence): Occurrence[] {
  const { level, protocols, isKnownToRpc } = occurrence
  if (!isKnownToRpc || !isBad({ level }) || !among(protocols, whereJson)) return [occurrence]
  const others = protocols.filter((protocol) => !whereJson.includes(protocol))
  const harmless: Occurrence = {
    ...occurrence,
    level: 'compatible',
    protocols: protocols.filter((protocol) => whereJson.includes(protocol)),
  }
  return others.length === 0 ? [harmless] : [{ ...occurrence, protocols: others }, harmless]
}

/** A few more operations. They are spread out because neighbours by name are often alike. */
export function spread(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const last = occurrences.length - 1
  const indices = new Set([1, Math.ceil(last / 2), last])
  return [...indices].flatMap((index) => (index < 1 ? [] : (occurrences[index] ?? [])))
}

export function isNearer(level: Level, route: Route, finding: SchemaFinding, known: Occurrence): boolean {
  const worse = levels.indexOf(level) - levels.indexOf(known.level)
  if (worse !== 0) return worse < 0
  // No call shows what is changed in a child of a base.
  if (route.isOfChild !== known.route.isOfChild) return known.route.isOfChild
  return lengthOf(route, finding) < lengthOf(known.route, known.finding)
}

/** The protocols over which an operation has a finding. */
export function protocolsOf(
  { subject, before, after }: Entry,
  finding: SchemaFinding,
  way: string,
): Protocol[] {
  const known = subject.protocols ?? all
  const endpoint = asCalled(before, after)
  const { id, protocols } = finding
  if (subject.isOfHttp === true && protocols !== undefined)
    return among(protocols, wherePaths) ? callableProtocols(known, endpoint) : []
  const path = subject.path + way + finding.path
  const told = isTaken(subject, id, path) ? whereJson : protocols
  const named = told?.filter((one) => known.includes(one)) ?? known
  return callableProtocols(named, endpoint, { id, direction: subject.direction, path })
}

/** Whether a removed member of an object is a parameter of its own now, whose change is told to REST callers. */
function isTaken({ takenNames, path: holder }: Subject, id: SchemaFinding['id'], path: string): boolean {
  if (takenNames === undefined || takenNames.size === 0 || !hasTrait(id, 'property removed')) return false
  const [name = '', ...deeper] = wayOf(path).slice(wayOf(holder).length)
  return deeper.length === 0 && takenNames.has(name)
}

function sentAs({ subject: { sent, path }, old, new: fresh }: Entry): Pick<Evidence, 'sent'> {
  return sent === undefined ? {} : { sent: { ...sent, old, new: fresh, base: path } }
}

function lengthOf(route: Route, finding: SchemaFinding): number {
  return route.length + (finding.path === '' ? 0 : 1)
}

const none: readonly Protocol[] = []
