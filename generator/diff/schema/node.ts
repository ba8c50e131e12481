import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import type { ChangeId } from '../change/catalogue.js'

import type { Traits, UnsentKind } from '../change/subject.js'
import type { Judged } from '../decide/judgement.js'

/** Two schemas side by side: what differs in them, and which schemas within them differ. One for all ways that lead there. */
export interface SchemaNode {
  readonly traits: Traits
  /** Behind references. */
  readonly a: Cursor
  readonly b: Cursor
  /** Whether the other side's callers never send it; else empty. */
  readonly kind: UnsentKind | ''
  /** Whether they are the whole of what they describe. */
  readonly isRoot: boolean
  readonly home: Home
  /** Where they stand in their home: `/items/-`. */
  readonly place: string
  readonly index: number
  readonly findings: SchemaFinding[]
  readonly edges: Edge[]
  /** Whether something beside a breaking part may make up for it; asked once. */
  readonly holds: () => boolean
}

/** The schema that a change is reported of once: one that is referred to, or all that an operation has of its own. */
export interface Home {
  /** Tells homes apart within a comparison; undefined where it is the operation's own. */
  readonly shared: string | undefined
  /** What the old schema says, for fingerprints: its name may change. */
  readonly outline: Json
}

/** The way from a schema to one within. */
export interface Edge {
  readonly to: SchemaNode
  /** What it adds to the path of a value: `/credit`; empty where both describe one value. */
  readonly step: string
  /** Where a change within is decided by what stands around it; undefined from it says that it is not. */
  readonly around: (() => Judged | undefined) | undefined
  /**
   * `base`: a part that holds beside others, which stands for itself and not for its children. `child`: one of the schemas that a
   * discriminated base stands for, of which no validator of the base knows.
   */
  readonly as?: 'base' | 'child'
  /** Where both schemas as a whole take the same values: the properties of which both say something. */
  readonly names?: ReadonlySet<string>
}

/**
 * What gave a finding its level. `schema`: containment, so that what stands around it may give another. `convention`: what is
 * around can only make it worse. `catalogue`: no schema decides.
 */
export type DecidedBy = 'schema' | 'convention' | 'catalogue'

/**
 * What a finding is about. `values`: which ones a keyword takes. `parts`: schemas that came or went, which may say more than the
 * values that they take. `notes`: what no validator sees.
 */
export type Concern = 'values' | 'parts' | 'notes'

/** One difference of two schemas. */
export interface SchemaFinding {
  readonly id: ChangeId
  /** From the node: `/credit`. */
  readonly path: string
  readonly a: Cursor
  readonly b: Cursor
  readonly old: Json | undefined
  readonly new: Json | undefined
  /** What the fingerprint tells changes apart by. */
  readonly values: readonly Json[]
  readonly judged: Judged
  readonly by: DecidedBy
  readonly about: Concern
  /** The name of the property that came or went. */
  readonly property?: string
  /** Where the witness stands, from the node, where that is not at the path. */
  readonly at?: string
  readonly protocols?: readonly Protocol[]
  /** Why nothing can be said of the schemas at all. */
  readonly undecided?: string
}
