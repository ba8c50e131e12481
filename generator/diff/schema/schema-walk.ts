import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import type { ChangeId } from '../change/catalogue.js'

import type { SchemaAction } from '../change/schema-actions.js'
import type { Side } from '../change/side.js'
import type { Traits, UnsentKind } from '../change/subject.js'
import type { Judged, Judgement } from '../decide/judgement.js'
import type { Sameness } from '../same/same.js'
import type { SchemaGraph } from './graph.js'
import type { KeywordChange } from './keywords.js'
import type { DecidedBy, Edge, SchemaNode } from './node.js'

/** Two schemas at one place, and the way there from the node. */
export interface Stop {
  readonly a: Cursor
  readonly b: Cursor
  /** Where the values stand: `/price`. */
  readonly path: string
  readonly kind: UnsentKind | ''
}

/** One difference, before its level is known. */
export type Difference = Omit<KeywordChange, 'action'> &
  Event & {
    /** Where the keywords alone do not decide. */
    readonly judged?: Judged | undefined
    readonly at?: string
    readonly property?: string
    readonly protocols?: readonly Protocol[]
    /** For the fingerprint, where the values name other schemas. */
    readonly values?: readonly Json[]
  }

type Event =
  | { readonly action: SchemaAction; readonly id?: ChangeId }
  | { readonly action?: undefined; readonly id: ChangeId }

/** What a comparer knows of two schemas of a node, what it may ask, and where it notes what it finds. */
export interface SchemaWalk {
  readonly graph: SchemaGraph
  readonly node: SchemaNode
  readonly old: Side
  readonly new_: Side
  readonly sameness: Sameness
  readonly judgement: Judgement
  readonly traits: Traits
  /** What makes values that the receiver's schema has to take; both without what is left out in the direction. */
  readonly sender: Json
  readonly receiver: Json
  readonly isRequest: boolean
  /** What callers over REST notice, where both versions read text and make other types of it. */
  readonly texts: Judged | undefined
  /** Keywords that refuse texts beside another type, with their verdicts. */
  readonly refusing: ReadonlyMap<string, Judged>
  /**
   * Compares the schemas of one place within; `around` decides instead where they do not stand for themselves. `beside`: what
   * of the sender's schema holds together with the place.
   */
  visit(stop: Stop, around?: Edge['around'], beside?: Json, as?: Edge['as']): void
  /** Notes one change at a place, with the level that containment gives it. */
  put(stop: Stop, change: Difference): void
  /** Notes one change with its level. */
  push(
    stop: Stop,
    change: Difference,
    id: ChangeId,
    judged: Judged,
    by: DecidedBy,
    flaw: string | undefined,
  ): void
  /** Whether the sender's schema says something of a property by whatever applies to the same value. */
  describes(name: string): boolean
  /** Whether what the sender's schema gives keeps to some keywords of the receiver's, which do not depend on others. */
  decide(keywords: readonly string[]): Judged
  /** Whether made-up values keep to some keywords of the receiver's schema. */
  asked(sender: Json, keywords: readonly string[]): Judged
  /** Whether a part of the sender's schema is enough for a part of the receiver's; all of it, where that is not. */
  passes(sender: Json, receiver: JsonObject, whole?: Json): Judged
  /** Both schemas as a whole. */
  entire(): Judged
}
