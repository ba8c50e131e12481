import type { Cursor } from '../../model/cursor.js'
import type { Level, Protocol } from '../change.js'
import type { Collector, Finding } from '../collector.js'
import type { Judgement } from '../decide/judgement.js'
import { isUnstable, type Notice } from '../lifecycle.js'
import type { Sameness } from '../schema/same.js'
import type { Subject } from '../schema/subject.js'
import { SchemaWalk } from '../schema/walk.js'
import type { Endpoint, Side } from '../side.js'

/** Two operations that are one, and what all topics share. */
export interface OperationPair {
  readonly old: Side
  readonly new: Side
  readonly before: Endpoint
  readonly after: Endpoint
  readonly tools: Tools
  /** Whose callers notice, where a topic is compared for one protocol alone. */
  readonly protocols?: readonly Protocol[]
}

export interface Tools {
  readonly collector: Collector
  readonly sameness: Sameness
  readonly judgement: Judgement
  readonly notice: Notice
}

/** Adds a change of an operation. One that is a draft or alpha has promised nothing, so nothing of it breaks. */
export function report(pair: OperationPair, found: Finding): void {
  const { before, after, tools } = pair
  const finding = within(found, pair.protocols)
  // Nobody called over JSON-RPC what only now can be called so.
  const endpoint = before.rpc === false ? { ...after, rpc: false as const } : after
  if (!isUnstable(before.operation.value)) {
    tools.collector.add(finding, endpoint)
    return
  }
  const { evidence: _, ...rest } = finding
  const level: Level = tools.collector.levelOf(finding) === 'info' ? 'info' : 'compatible'
  tools.collector.add(
    { ...rest, level, message: `${finding.message}; the operation is not yet stable` },
    endpoint,
  )
}

/** Compares the schemas of one subject of an operation. */
export function compareSchemas(
  pair: OperationPair,
  subject: Omit<Subject, 'notice'>,
  a: Cursor,
  b: Cursor,
): void {
  const { sameness, judgement, notice } = pair.tools
  if (sameness.of(a.value, b.value)) return
  const add = (finding: Finding): void => report(pair, finding)
  new SchemaWalk(pair.old, pair.new, sameness, judgement, { ...subject, notice }, add).start(a, b)
}

export function titleOf({ webhook, method, path }: Endpoint): string {
  return webhook ? `the webhook ${path}` : `${method} ${path}`
}

function within(finding: Finding, protocols: readonly Protocol[] | undefined): Finding {
  if (protocols === undefined) return finding
  const { protocols: own = protocols } = finding
  return { ...finding, protocols: own.filter((protocol) => protocols.includes(protocol)) }
}
