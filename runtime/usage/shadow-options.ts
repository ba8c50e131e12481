import type { Contract } from '../contract/contract.js'
import type { Protocol } from '../contract/operation.js'
import type { UsageOptions } from './recorder.js'

/** Counts who calls what, and tries calls on the next version. */
export interface ShadowOptions<Principal> extends UsageOptions<Principal> {
  /** The generated next version: the module of its package. Absent: calls are only counted. */
  readonly next?: { readonly contract: Contract }
  /** The output of `duet diff OLD NEW --format shadow`. Absent: refusals of the next version have no known cause. */
  readonly changes?: ShadowChanges
}

/** The output of `duet diff OLD NEW --format shadow`: how to recognise the calls that each change breaks. */
export interface ShadowChanges {
  readonly duet: 'shadow/1'
  /** The title of the document. */
  readonly api: string
  readonly from: string
  readonly to: string
  /** By operation of the older version. */
  readonly operations: Readonly<Record<string, ShadowOperation>>
}

export interface ShadowOperation {
  /** A hash of the changes that this operation is watched for. */
  readonly watched: string
  /** Its counterpart in the next version, by protocol. Absent: there is none. */
  readonly next: { readonly [protocol in Protocol]?: string }
  readonly changes: readonly ShadowChange[]
  /**
   * The protocols over which the next version accepts every call that the older one accepts. Their calls are not
   * tried, and count as tried. Absent: none.
   */
  readonly passes?: readonly Protocol[]
  /** Headers that are new in the next version, in lower case: REST calls that send one are tried although they pass. */
  readonly unless?: readonly string[]
}

/** A change, and how to recognise the calls that it breaks. */
export type ShadowChange = {
  readonly fingerprint: string
  readonly protocols: readonly Protocol[]
} & Sign

export type Sign =
  /** Every call shows it. */
  | { readonly sign: 'call' }
  /** The call reaches no operation, or another one. */
  | { readonly sign: 'address' }
  /** The call reaches this other operation. */
  | { readonly sign: 'taker'; readonly operation: string }
  /** The call does not send the credentials that the next version requires. */
  | { readonly sign: 'credentials' }
  /** The call omits a value whose default differs. */
  | { readonly sign: 'absence'; readonly path: string }
  /** The next version does not read the media type of the body. */
  | { readonly sign: 'media type' }
  | ViolationSign

/** The call violates the next version's params. */
export interface ViolationSign {
  readonly sign: 'violation'
  /** A JSON pointer into the params; `*` is any item or any name. */
  readonly path: string
  /** The keywords that report the violation. Empty: any. */
  readonly keywords: readonly string[]
  /** A surrounding value, whose violations the change also causes. */
  readonly around?: string
}
