import type { Contract } from '../contract/contract.js'
import type { Protocol } from '../contract/operation.js'
import type { UsageOptions } from './recorder.js'

/** Counts who calls what, and tries calls on the next version. */
export interface ShadowOptions<Principal> extends UsageOptions<Principal> {
  /** The generated next version: the module of its package. Absent: calls are only counted. */
  readonly next?: { readonly contract: Contract }
  /** What `duet diff OLD NEW --format shadow` wrote. Absent: refusals of the next version have no causes. */
  readonly changes?: ShadowChanges
}

/** What `duet diff OLD NEW --format shadow` writes: how calls of one version show what breaks them in the next. */
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
  /** Stands for the changes that are looked for. */
  readonly watched: string
  /** The operation of the next version that its callers mean, by protocol. Absent: there is none. */
  readonly next: { readonly [protocol in Protocol]?: string }
  readonly changes: readonly ShadowChange[]
}

/** A change, and how a call shows it. */
export type ShadowChange = {
  readonly fingerprint: string
  readonly protocols: readonly Protocol[]
} & Sign

export type Sign =
  /** Every call shows it. */
  | { readonly sign: 'call' }
  /** The call leads to no operation, or to another one. */
  | { readonly sign: 'address' }
  /** Another operation takes the call. */
  | { readonly sign: 'taker'; readonly operation: string }
  /** The call has no credentials that the next version asks for. */
  | { readonly sign: 'credentials' }
  /** A value is left out, which the next version takes for another one. */
  | { readonly sign: 'absence'; readonly path: string }
  /** The next version does not read the media type of the body. */
  | { readonly sign: 'media type' }
  | ViolationSign

/** The call violates the next version's params. */
export interface ViolationSign {
  readonly sign: 'violation'
  /** A JSON pointer into the params; `*` is any item or any name. */
  readonly path: string
  /** The keywords that refuse what the change refuses. Empty: any. */
  readonly keywords: readonly string[]
  /** A value around it, whose violations the change causes, too. */
  readonly around?: string
}
