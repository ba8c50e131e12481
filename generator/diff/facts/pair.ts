import type { Cursor } from '../../model/cursor.js'
import type { Collector, Finding } from '../collector.js'
import type { Judgement } from '../decide/judgement.js'
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
}

export interface Tools {
  readonly collector: Collector
  readonly sameness: Sameness
  readonly judgement: Judgement
  /** The day of the review, `2026-11-21`: sunsets before it are past. */
  readonly today: string
}

export function report(pair: OperationPair, finding: Finding): void {
  pair.tools.collector.add(finding, pair.after)
}

/** Compares the schemas of one subject of an operation. */
export function compareSchemas(pair: OperationPair, subject: Subject, a: Cursor, b: Cursor): void {
  const { sameness, judgement } = pair.tools
  if (sameness.of(a.value, b.value)) return
  new SchemaWalk(pair.old, pair.new, sameness, judgement, subject, (finding) => report(pair, finding)).start(
    a,
    b,
  )
}
