import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../../document/cursor.js'
import type { Change } from '../../change/change.js'
import type { Collector, Finding } from '../../change/collector.js'
import type { Level } from '../../change/level.js'
import { levelIfPromised, type Notice, promisesNothing } from '../../change/lifecycle.js'
import { asCalled } from '../../change/protocol.js'
import type { Endpoint, Side } from '../../change/side.js'
import type { Subject } from '../../change/subject.js'
import { judge } from '../../decide/judgement.js'
import type { Reach } from '../../reach/reach.js'

/** Two paired operations, and the tools of all comparisons. */
export interface OperationPair {
  readonly old: Side
  readonly new: Side
  readonly before: Endpoint
  readonly after: Endpoint
  readonly tools: Tools
  /** The callers who notice, if only one protocol is compared. */
  readonly protocols?: readonly Protocol[]
}

export interface Tools {
  readonly collector: Collector
  readonly reach: Reach
  readonly notice: Notice
}

/** The pair as callers of some protocols see it. */
export function only(pair: OperationPair, protocols: readonly Protocol[]): OperationPair {
  return { ...pair, protocols: within(protocols, pair.protocols) ?? protocols }
}

/** Adds a change of an operation. */
export function report(pair: OperationPair, finding: Finding): void {
  const { before, after, tools } = pair
  const protocols = within(finding.protocols, pair.protocols)
  const level: Level = levelIfPromised(before, tools.collector.levelOf(finding))
  const added = { ...finding, level, ...(protocols !== undefined && { protocols }) }
  const { evidence: _, ...bare } = added
  const endpoint = asCalled(before, after)
  tools.collector.add(promisesNothing(before) ? bare : added, endpoint, before.name)
}

/** The changes of an operation that are reported already. */
export function reportedIn({ tools, after }: OperationPair): readonly Change[] {
  return tools.collector.changes.filter(({ operations }) => operations.includes(after.name))
}

/** Compares the schemas of one subject of an operation. Differences are reported after all operations are read. */
export function compareSchemas(pair: OperationPair, subject: Subject, a: Cursor, b: Cursor): void {
  const protocols = within(subject.protocols, pair.protocols)
  pair.tools.reach.add(pair, { ...subject, ...(protocols !== undefined && { protocols }) }, a, b)
}

/**
 * The effect of a schema that only one version has: the other version accepts or sends any value. Undefined if neither
 * has one, or if it accepts any value itself.
 */
export function presence(
  { tools }: OperationPair,
  { direction, isLoose = false }: Subject,
  a: Cursor | undefined,
  b: Cursor | undefined,
): Pick<Finding, 'level' | 'evidence'> | undefined {
  const { judgement, sameness } = tools.reach.graph
  const [old, fresh] = [a?.value ?? {}, b?.value ?? {}]
  if (sameness.of(old, fresh)) return undefined
  const [sender, receiver] = direction === 'request' ? [old, fresh] : [fresh, old]
  // A schema excludes no plain text.
  return isLoose ? {} : judge(judgement.passes(direction, sender, receiver))
}

export function titleOf({ webhook, method, path }: Endpoint): string {
  return webhook ? `the webhook ${path}` : `${method} ${path}`
}

/** The protocols in both lists. An absent list has all. */
function within(
  protocols: readonly Protocol[] | undefined,
  limit: readonly Protocol[] | undefined,
): readonly Protocol[] | undefined {
  return limit === undefined ? protocols : (protocols ?? limit).filter((protocol) => limit.includes(protocol))
}
