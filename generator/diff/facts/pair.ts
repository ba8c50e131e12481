import type { Cursor } from '../../model/cursor.js'
import type { Collector, Finding } from '../collector.js'
import type { Reach } from '../schema/reach.js'
import type { Subject } from '../schema/subject.js'
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
  readonly reach: Reach
  /** The day of the review, `2026-11-21`: sunsets before it are past. */
  readonly today: string
}

export function report(pair: OperationPair, finding: Finding): void {
  pair.tools.collector.add(finding, pair.after, pair.before.name)
}

/** Compares the schemas of one subject of an operation; what differs is reported when all operations have been seen. */
export function compareSchemas(pair: OperationPair, subject: Subject, a: Cursor, b: Cursor): void {
  pair.tools.reach.add(pair, subject, a, b)
}
