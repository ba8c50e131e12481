import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { keywordsThat } from '../../document/vocabulary.js'
import type { Evidence } from '../change/change.js'
import type { Level } from '../change/level.js'
import { wayOf } from '../change/place.js'
import { asObject } from '../change/side.js'
import { harmless, isBad, type Judged, worse } from '../decide/judgement.js'
import { listOf } from '../same/within.js'
import type { DescribedNames } from '../schema/in-place.js'
import type { Edge, SchemaFinding, SchemaNode } from '../schema/node.js'
import { isSpelling } from '../schema/respelled.js'

/** A route from the schema of an operation's subject to a node. */
export interface Route {
  readonly node: SchemaNode
  readonly from: Route | undefined
  readonly step: string
  /** The number of steps in the value's path. */
  readonly length: number
  /** The verdict on all changes from here on, and the node that it is about. */
  readonly surrounding: Surrounding | undefined
  /** The whole whose parts the route leads through, and the path of the values from there. */
  readonly part: Part | undefined
  /** Whether the node is an `allOf` branch here, so that its discriminated children do not apply. */
  readonly isBase: boolean
  /** Whether the route leads through a child of a base. Validators of the base do not check the node. */
  readonly isOfChild: boolean
}

/** A schema with an `allOf`: what one part of it refuses, another may never let through. */
interface Part {
  readonly of: SchemaNode
  readonly path: string
}

interface Surrounding {
  readonly judged: Judged
  readonly at: Route | undefined
  /** If the surrounding schema is only respelled: the properties that both versions describe. */
  readonly names?: ReadonlySet<string>
}

/** Routes through the schemas that differ. */
export class Routes {
  /**
   * For each node: whether it or a node below has a change, and whether a surrounding schema may change the level of
   * one.
   */
  readonly #beneath: Uint8Array
  readonly #known = new Map<SchemaNode, readonly Route[]>()

  constructor(readonly nodes: readonly SchemaNode[]) {
    this.#beneath = marked(nodes)
  }

  /**
   * The nodes that a node leads to, nearest first. Each node has at most one route on which schemas are judged alone,
   * and one for each level that a surrounding schema decides.
   */
  from(start: SchemaNode): readonly Route[] {
    const known = this.#known.get(start)
    if (known !== undefined) return known
    const routes: Route[] = []
    this.#known.set(start, routes)
    const seen = new Uint32Array(this.nodes.length)
    let near: Route[] = []
    let far: Route[] = []
    const add = ({ node, step, ...others }: Omit<Route, 'length'>): void => {
      const { from, surrounding, isBase, isOfChild } = others
      const bit = bitOf({ surrounding, isBase, isOfChild })
      if (((seen[node.index] ?? 0) & bit) !== 0 || this.#beneath[node.index] === 0) return
      const length = (from?.length ?? 0) + (step === '' ? 0 : 1)
      const list = step === '' ? near : far
      list.push({ node, step, length, ...others })
    }
    add({
      ...{ node: start, from: undefined, step: '', surrounding: undefined, part: undefined },
      ...{ isBase: false, isOfChild: false },
    })
    for (; near.length > 0; near = far, far = [])
      // A schema of the same value is equally near: it joins the list during the iteration.
      for (const found of near) {
        const bit = bitOf(found)
        const { index } = found.node
        const before = seen[index] ?? 0
        if ((before & bit) !== 0) continue
        seen[index] = before | bit
        const route = this.#mended(found)
        routes.push(route)
        for (const { to, step, surrounding, names, as } of route.node.edges) {
          if (as === 'child' && route.isBase) continue
          const isOfChild = route.isOfChild || as === 'child'
          const next = { node: to, from: route, step, isBase: as === 'base', isOfChild }
          // The verdict of validators of a base says nothing about its children.
          if (as === 'child') {
            add({ ...next, surrounding: undefined, part: undefined })
            continue
          }
          const part = partOf(route, step)
          const judged =
            names !== undefined
              ? harmless
              : route.surrounding === undefined
                ? (surrounding?.() ?? (isAdmitted(part, to) ? harmless : undefined))
                : undefined
          const at = { at: route, ...(names !== undefined && { names }) }
          add({ ...next, part, surrounding: judged === undefined ? route.surrounding : { judged, ...at } })
        }
      }
    return routes
  }

  /** If the whole schema is compatible, breaks inside it do not count. */
  #mended(route: Route): Route {
    const { node, surrounding, from } = route
    if (surrounding !== undefined || this.#beneath[node.index] !== mendable) return route
    const mustCheck =
      from === undefined || isBoundNode(node) || node.edges.some((edge) => isNeeded(node, edge))
    return mustCheck && node.holds() ? { ...route, surrounding: { judged: harmless, at: undefined } } : route
  }
}

/** The whole that a step leads into, the outermost one of the same value. */
function partOf({ node, part }: Route, step: string): Part | undefined {
  const isWhole = [node.a, node.b].some(({ value }) => isComposed(asObject(value)))
  if (isWhole && part?.path !== '') return { of: node, path: step }
  return part && { of: part.of, path: part.path + step }
}

function isComposed(schema: JsonObject): boolean {
  return ['allOf', '$ref'].some((keyword) => own(schema, keyword) !== undefined)
}

/** Whether the whole sends nothing that a changed part of it refuses. */
function isAdmitted(part: Part | undefined, to: SchemaNode): boolean {
  return part !== undefined && to.findings.some(isMendable) && part.of.admits(to, part.path)
}

function isMendable({ by, judged, ofAny }: SchemaFinding): boolean {
  return (by === 'schema' && judged.level !== 'compatible') || (ofAny !== undefined && isBad(ofAny))
}

/** A node is visited once for each bit. */
function bitOf({
  surrounding,
  isBase,
  isOfChild,
}: Pick<Route, 'surrounding' | 'isBase' | 'isOfChild'>): number {
  const bit = surrounding?.names !== undefined ? respelled : bits[surrounding?.judged.level ?? 'none']
  return bit << ((isBase ? 5 : 0) + (isOfChild ? 10 : 0))
}

const respelled = 16
const bits = { none: 1, compatible: 2, dangerous: 4, breaking: 8, info: 2 } as const
const there = 1
const mendable = 2

/** Keywords that constrain a value beyond its type, members and bounds. */
const binding = [
  ...keywordsThat(
    ({ role, binds, isDependent, outdated }) =>
      outdated === undefined &&
      (role === 'reference' ||
        (role === 'in-place' && !isDependent) ||
        (role === 'child' && binds === 'test')),
  ),
  ...['enum', 'const', 'dependentRequired', 'patternProperties', 'maxProperties', 'maxItems'],
]

function isBoundNode({ a, b }: SchemaNode): boolean {
  return [a, b].some(({ value }) => isBound(value))
}

/** Whether a required property is bound, which may exclude every value of the object. */
function isNeeded({ a, b }: SchemaNode, { to, step }: Edge): boolean {
  const isRequired = [a, b].some(({ value }) => listOf(asObject(value), 'required').includes(step.slice(1)))
  return isRequired && isBoundNode(to)
}

function isBound(value: SchemaNode['a']['value']): boolean {
  const schema = asObject(value)
  return binding.some((keyword) => own(schema, keyword) !== undefined)
}

function marked(nodes: readonly SchemaNode[]): Uint8Array {
  const marks = new Uint8Array(nodes.length)
  const callers: SchemaNode[][] = nodes.map(() => [])
  for (const node of nodes) for (const { to } of node.edges) callers[to.index]?.push(node)
  for (const mark of [there, mendable]) {
    const waiting = nodes.filter(
      ({ findings }) => findings.length > 0 && (mark === there || findings.some(isMendable)),
    )
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if ((marks[node.index] ?? 0) >= mark) continue
      marks[node.index] = mark
      waiting.push(...(callers[node.index] ?? []))
    }
  }
  return marks
}

/** Whether a node is the subject's whole schema or a part of its `allOf`, and no branch. */
export function isOfWhole({ node, from, isBase }: Route): boolean {
  return node.isRoot && (from === undefined || isBase)
}

/** The level of a finding at the end of a route. */
export function levelOf(route: Route, finding: SchemaFinding): Level {
  return judgedOf(route, finding).level
}

/**
 * Whether a property that a schema no longer names is still described by another part of a schema around it, which
 * takes all that is sent: of `properties` next to an `allOf`, both may describe what is inside one property.
 */
export function isKept(
  names: DescribedNames,
  route: Route,
  { property, by, judged, old }: SchemaFinding,
): boolean {
  if (property === undefined || property !== old || by !== 'convention' || judged.level !== 'dangerous')
    return false
  let way = ''
  for (let at: Route | undefined = route; at !== undefined; at = at.from) {
    if (way !== '' && names.describesAt(at.node.b.value, wayOf(way), property) && at.node.holds()) return true
    way = at.step + way
  }
  return false
}

/**
 * The verdict on a new property of values that were any. Undefined if another part of a schema around says something of
 * them: by convention callers then did not send the property.
 */
export function judgedOfAny(
  names: DescribedNames,
  route: Route,
  { ofAny, at: place = '' }: SchemaFinding,
): Judged | undefined {
  if (ofAny === undefined || route.surrounding !== undefined) return undefined
  let way = ''
  for (let at: Route | undefined = route; at !== undefined; at = at.from) {
    if (!names.areAnyAt(at.node.a.value, wayOf(way))) return undefined
    way = at.step + way
  }
  const { level, evidence } = ofAny
  return { level, evidence: isBad(ofAny) ? { ...evidence, at: way + place } : evidence }
}

/** Whether a finding is in branches that together are only another spelling. */
export function isRespelled({ surrounding, length }: Route, finding: SchemaFinding): boolean {
  if (surrounding?.names === undefined) return false
  const isDirect = finding.property === undefined || length === surrounding.at?.length
  return isDirect && isSpelling(finding, { names: surrounding.names, notesAgree: true })
}

/** Whether a finding is about children of a base that is only a branch of one of them here. */
export function isOfOthers({ isBase }: Route, { inherited }: SchemaFinding): boolean {
  return isBase && inherited === 'implied'
}

function judgedOf({ surrounding, isBase }: Route, { judged, by, inherited }: SchemaFinding): Judged {
  if (isBase && inherited !== undefined) return harmless
  if (surrounding === undefined || by === 'catalogue') return judged
  return by === 'schema' ? surrounding.judged : worse(judged, surrounding.judged)
}

/** What decided the level of a finding at the end of a route. */
export function evidenceOf(route: Route, finding: SchemaFinding): Evidence {
  const evidence = decidingEvidence(route, finding)
  const isOfChild = route.isOfChild || finding.inherited !== undefined
  return isOfChild ? { ...evidence, isOfChild } : evidence
}

function decidingEvidence(route: Route, finding: SchemaFinding): Evidence {
  const { evidence } = judgedOf(route, finding)
  if (evidence.witness === undefined) return evidence
  const { path, at, judged } = finding
  const isOwn = evidence === judged.evidence
  const place = isOwn ? pathOf(route) + (at ?? path) : pathOf(route.surrounding?.at ?? route)
  return place === pathOf(route) + path ? evidence : { ...evidence, at: place }
}

/** The path of the values that a route leads to. */
export function pathOf(route: Route): string {
  let path = ''
  for (let at: Route | undefined = route; at !== undefined; at = at.from) path = at.step + path
  return path
}
