import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Side } from '../change/side.js'
import type { Traits, UnsentKind } from '../change/subject.js'
import type { SchemaAction } from '../change/table/schema-actions.js'
import type { Judged, Judgement } from '../decide/judgement.js'
import type { Sameness } from '../same/same.js'
import type { SchemaGraph } from './graph.js'
import type { KeywordChange } from './keywords.js'
import type { DecidedBy, Edge, InheritedChange, SchemaNode } from './node.js'

/** Two schemas to compare, and their path from the node. */
export interface SchemaPair {
  readonly a: Cursor
  readonly b: Cursor
  /** The path of the values: `/price`. */
  readonly path: string
  readonly kind: UnsentKind | ''
}

/** One difference, before its level is known. */
export type Difference = Omit<KeywordChange, 'action'> &
  Event & {
    readonly at?: string
    /** What happened, if the words of the id do not fit. */
    readonly words?: string
    readonly property?: string
    /** The verdict, instead of the convention, if no schema around says anything of the values. */
    readonly ofAny?: Judged | undefined
    readonly protocols?: readonly Protocol[]
    readonly inherited?: InheritedChange
  }

type Event =
  | { readonly action: SchemaAction; readonly id?: ChangeId }
  | { readonly action?: undefined; readonly id: ChangeId }

/** What a comparer knows about two schemas of a node, what it can ask, and where it reports differences. */
export interface SchemaWalk {
  readonly graph: SchemaGraph
  readonly node: SchemaNode
  readonly old: Side
  readonly new_: Side
  readonly sameness: Sameness
  readonly judgement: Judgement
  readonly traits: Traits
  /** The schema whose values the receiver must accept. Both schemas omit what is left out in this direction. */
  readonly sender: Json
  readonly receiver: Json
  readonly isRequest: boolean
  /** The verdict on texts over REST, if both versions read text and convert it to other types. */
  readonly texts: Judged | undefined
  /** The receiver's keywords that refuse texts in addition to its type, with their verdicts. */
  readonly refusing: ReadonlyMap<string, Judged>
  /**
   * Compares two nested schemas. `surrounding`: decides instead, if they cannot be judged alone. `siblings`: the part
   * of the sender's schema that applies together with the nested one.
   */
  visit(pair: SchemaPair, surrounding?: Edge['surrounding'], siblings?: Json, as?: Edge['as']): void
  /** Reports a change. Containment gives its level. */
  report(pair: SchemaPair, change: Difference): void
  /** Reports a change with its level. */
  reportAs(
    pair: SchemaPair,
    change: Difference,
    id: ChangeId,
    judged: Judged,
    by: DecidedBy,
    flaw: string | undefined,
  ): void
  /** Whether the sender's schema describes a property, with any keyword that applies to the same value. */
  describes(name: string): boolean
  /** Judges the sender's values against some keywords of the receiver's schema, which depend on no others. */
  decide(keywords: readonly string[]): Judged
  /** Judges made-up values against some keywords of the receiver's schema. */
  judgeKeywords(sender: Json, keywords: readonly string[]): Judged
  /** Some keywords of the receiver's schema. */
  taken(keywords: readonly string[]): JsonObject
  /**
   * Judges a part of the sender's schema against a part of the receiver's. If the part does not pass, judges the whole.
   */
  passes(sender: Json, receiver: JsonObject, whole?: Json): Judged
  /** Judges both whole schemas. */
  judgeWhole(): Judged
}
