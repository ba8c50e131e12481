import { canonical } from '../../contains/value.js'
import type { Json } from '../../load/document.js'
import { type Cursor, compareText } from '../../model/cursor.js'
import { type Level, levels, type Protocol } from '../change.js'
import { type Collector, concerned } from '../collector.js'
import { promised } from '../lifecycle.js'
import type { Endpoint } from '../side.js'
import type { SchemaGraph } from './graph.js'
import { said } from './message.js'
import type { SchemaFinding, SchemaNode } from './node.js'
import { evidenceOf, levelOf, pathOf, type Route, Routes } from './route.js'
import type { Subject } from './subject.js'
import { behind } from './within.js'

interface Entry {
  readonly before: Endpoint
  readonly after: Endpoint
  readonly subject: Subject
  readonly node: SchemaNode
}

/** A change as one operation meets it. */
interface Meeting {
  readonly entry: Entry
  readonly route: Route
  readonly finding: SchemaFinding
  readonly level: Level
  readonly protocols: readonly Protocol[]
}

/** What tells a change from others; one object for each within a comparison. */
interface Told {
  /** In any comparison, of changes of one id. */
  readonly parts: readonly Json[]
  readonly groups: Group[]
}

/** One change, as the first operation meets it, with all that do. */
interface Group {
  readonly first: Meeting
  readonly told: readonly Json[]
  readonly endpoints: Endpoint[]
}

/** Which operations the changes of schemas reach, and by which way. */
export class Reach {
  readonly #entries: Entry[] = []
  readonly #told = new Map<string, Told>()
  readonly #shared = new Map<SchemaFinding, Told>()

  constructor(
    readonly graph: SchemaGraph,
    readonly collector: Collector,
  ) {}

  /** Has the schemas of one subject of an operation compared. */
  add(pair: Pick<Entry, 'before' | 'after'>, subject: Subject, a: Cursor, b: Cursor): void {
    const { graph } = this
    const [one, other] = [behind(graph.old, a), behind(graph.new_, b)]
    if (graph.sameness.of(one.value, other.value)) return
    const { before, after } = pair
    const isOwn = (cursor: Cursor, { operation }: Endpoint): boolean =>
      cursor.pointer.startsWith(`${operation.pointer}/`)
    const home =
      isOwn(one, before) || isOwn(other, after)
        ? { shared: undefined, outline: null }
        : graph.home(one, other)
    const { direction, holder, isLoose = false, isHeader = false } = subject
    const traits = { direction, holder, isLoose, isHeader }
    const place = { kind: '', isRoot: true, home, place: '' }
    const node = graph.enter({ traits, a: one, b: other, ...place })
    this.#entries.push({ before, after, subject, node })
  }

  /** Reports every change once, of the first operation by name that it reaches. */
  report(): void {
    const routes = new Routes(this.graph.nodes)
    const byOperation = new Map<Endpoint, Entry[]>()
    for (const entry of this.#entries)
      byOperation.set(entry.after, [...(byOperation.get(entry.after) ?? []), entry])
    const endpoints = [...byOperation].sort(([a], [b]) => compareText(a.name, b.name))
    for (const [endpoint, entries] of endpoints) this.#meet(endpoint, entries, routes)
    const groups = [...this.#told.values()].flatMap((told) => told.groups)
    const rank = ({ first: { level } }: Group): number => levels.indexOf(level)
    const pointer = ({ first: { finding } }: Group): string => finding.a.pointer
    groups.sort((a, b) => rank(a) - rank(b) || compareText(pointer(a), pointer(b)))
    for (const group of groups) this.#report(group)
  }

  /** Each change that an operation meets, by the way where it is worst, and the shortest of those. */
  #meet(endpoint: Endpoint, entries: readonly Entry[], routes: Routes): void {
    const met = new Map<Told, Meeting>()
    for (const entry of entries)
      for (const route of routes.from(entry.node))
        for (const finding of route.node.findings) {
          const protocols = protocolsOf(entry, finding)
          if (protocols.length === 0) continue
          const told = this.#tell(entry, route, finding)
          const level = promised(entry.before.operation.value, levelOf(route, finding))
          const known = met.get(told)
          if (known === undefined || isNearer(level, route, finding, known))
            met.set(told, { entry, route, finding, level, protocols })
        }
    for (const [{ groups, parts: told }, first] of met) {
      const group = groups.find(
        ({ first: { level, protocols } }) =>
          level === first.level && protocols.join() === first.protocols.join(),
      )
      if (group === undefined) groups.push({ first, told, endpoints: [endpoint] })
      else group.endpoints.push(endpoint)
    }
  }

  /** Of a shared schema neither the operation nor the way there tells. */
  #tell({ before, subject }: Entry, { node }: Route, finding: SchemaFinding): Told {
    const protocols = finding.protocols ?? subject.protocols ?? none
    const known = this.#shared.get(finding)
    if (known !== undefined && (known.parts[3] === protocols || String(known.parts[3]) === String(protocols)))
      return known
    const { home, place } = node
    // Parameters of one name may stand in two places.
    const named = subject.holder === 'parameter' ? `${subject.title} ${subject.path}` : subject.path
    const at = home.shared === undefined ? named + place : place
    const parts: readonly Json[] = [home.outline ?? before.name, at + finding.path, finding.values, protocols]
    const [outline, ...rest] = parts
    const key = canonical([finding.id, home.shared ?? outline ?? null, ...rest])
    const told = this.#told.get(key) ?? { parts, groups: [] }
    this.#told.set(key, told)
    if (home.shared !== undefined) this.#shared.set(finding, told)
    return told
  }

  #report({ first, endpoints, told }: Group): void {
    const { entry, route, finding, level, protocols } = first
    const { subject } = entry
    const path = pathOf(route) + finding.path
    const evidence = level === 'compatible' ? {} : evidenceOf(route, finding)
    const { at } = evidence
    this.collector.addReached({
      finding: {
        id: finding.id,
        message: said(subject, path, finding.id, finding),
        path: subject.path + path,
        old: finding.a,
        new: finding.b,
        evidence: at === undefined ? evidence : { ...evidence, at: subject.path + at },
      },
      level,
      protocols,
      endpoints,
      told,
    })
  }
}

function isNearer(level: Level, route: Route, finding: SchemaFinding, known: Meeting): boolean {
  const worse = levels.indexOf(level) - levels.indexOf(known.level)
  if (worse !== 0) return worse < 0
  return lengthOf(route, finding) < lengthOf(known.route, known.finding)
}

function lengthOf(route: Route, finding: SchemaFinding): number {
  return route.length + (finding.path === '' ? 0 : 1)
}

/** By which of the protocols an operation meets a finding. */
function protocolsOf({ subject, before, after }: Entry, finding: SchemaFinding): Protocol[] {
  const known = subject.protocols ?? both
  // Nobody called over JSON-RPC what only now can be called so.
  const endpoint = before.rpc === false ? { ...after, rpc: false as const } : after
  return concerned(finding.protocols?.filter((one) => known.includes(one)) ?? known, endpoint)
}

const both: readonly Protocol[] = ['rest', 'jsonrpc']
const none: readonly Protocol[] = []
