import type { Protocol } from 'duet-runtime'
import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import type { ChangeId } from '../change/catalogue.js'

import type { Traits, UnsentKind } from '../change/subject.js'
import type { Judged } from '../decide/judgement.js'

/**
 * Two schemas side by side: their differences, and the nested schemas that differ. All routes to the pair share the
 * node.
 */
export interface SchemaNode {
  readonly traits: Traits
  /** References are resolved. */
  readonly a: Cursor
  readonly b: Cursor
  /** `read-only` or `write-only` for a property that is never sent in this direction. Empty otherwise. */
  readonly kind: UnsentKind | ''
  /** Whether the schemas describe the whole subject. */
  readonly isRoot: boolean
  readonly owner: SchemaOwner
  /** The path of the schemas from their owner: `/items/-`. */
  readonly place: string
  readonly index: number
  readonly findings: SchemaFinding[]
  readonly edges: Edge[]
  /** Whether the whole schemas are compatible although a part breaks. Computed once. */
  readonly holds: () => boolean
  /** Whether the receiver's schema of a nested node accepts everything at that path that this whole node's sender sends. */
  readonly admits: (nested: Pick<SchemaNode, 'a' | 'b'>, path: string) => boolean
}

/** Each change is reported once for its owner: a referenced schema, or all inline schemas of an operation. */
export interface SchemaOwner {
  /** Identifies the owner within a comparison. Undefined for an operation. */
  readonly shared: string | undefined
  /** The content of the old schema, for fingerprints, because its name may change. */
  readonly outline: Json
}

/** The step from a schema to a nested one. */
export interface Edge {
  readonly to: SchemaNode
  /** The step in the value's path: `/credit`. Empty if both schemas describe one value. */
  readonly step: string
  /**
   * Returns the verdict of the surrounding schema, if that decides the level of changes inside. If it returns
   * undefined, the nested schema decides.
   */
  readonly surrounding: (() => Judged | undefined) | undefined
  /**
   * `base`: an `allOf` branch, which describes the value itself and not its discriminated children. `child`: a child of
   * a discriminated base. Validators of the base ignore it.
   */
  readonly as?: 'base' | 'child'
  /** If both whole schemas accept the same values: the properties that both describe. */
  readonly names?: ReadonlySet<string>
}

/**
 * What decided the level of a finding. `schema`: containment, which a surrounding schema may overrule. `convention`: a
 * surrounding schema can only make it worse. `catalogue`: schemas do not decide.
 */
export type DecidedBy = 'schema' | 'convention' | 'catalogue'

/**
 * What a finding is about. `values`: the values that a keyword accepts. `parts`: added or removed schemas, which may
 * say more than the values that they accept. `notes`: what no validator checks.
 */
export type Concern = 'values' | 'parts' | 'notes'

/**
 * A change in which child of a base a discriminator's value names: in the discriminator's text, or only by the names of
 * components. It changes nothing for values of one child.
 */
export type InheritedChange = 'written' | 'implied'

/** One difference between two schemas. */
export interface SchemaFinding {
  readonly id: ChangeId
  /** The path from the node: `/credit`. */
  readonly path: string
  readonly a: Cursor
  readonly b: Cursor
  readonly old: Json | undefined
  readonly new: Json | undefined
  /** The values that distinguish changes in fingerprints. */
  readonly values: readonly Json[]
  readonly judged: Judged
  readonly by: DecidedBy
  readonly about: Concern
  /** What happened, if the words of the id do not fit. */
  readonly words?: string
  /** The name of the added or removed property. */
  readonly property?: string
  /** The verdict, instead of the convention, if no schema around says anything of the values. */
  readonly ofAny?: Judged
  /** The path of the witness from the node, if it differs from `path`. */
  readonly at?: string
  readonly protocols?: readonly Protocol[]
  readonly inherited?: InheritedChange
  /** Why the schemas cannot be analysed at all. */
  readonly undecided?: string
}
