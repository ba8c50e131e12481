import type { AnswerMedia, Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../document/document.js'
import type { ChangeId } from './catalogue.js'
import type { Level } from './level.js'

export { type Level, levels } from './level.js'

export type Verdict = 'identical' | 'compatible' | 'dangerous' | 'breaking'

/** A place in one of the two documents; line and column count from 1. */
export interface Place {
  readonly pointer: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What tells who calls: header fields, and what is appended to the query. Each value ends in a stand-in. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
}

/** What shows that a change breaks: a call, or an answer, that one version accepts and the other rejects. */
export type Proof =
  | {
      readonly status: 'verified'
      readonly value: Json
      readonly rest?: JsonObject
      readonly jsonrpc?: JsonObject
      /** Where the envelope is posted to, where that is not the service's root: `/v1/`. */
      readonly jsonrpcPath?: string
      /** Where the new version takes the same calls instead, where its base path is another: what changes that is told apart. */
      readonly newAddress?: NewAddress
      /** What the calls are sent with; those of REST hold them already. */
      readonly credentials?: Credentials
      /** Whose call or answer it is, where that is not the change's own: of those that it reaches. */
      readonly operation?: string
      readonly old: string
      readonly new: string
    }
  | { readonly status: 'unproven'; readonly reason: string }
  /** No call and no answer can show it, as with an announced sunset that moved. */
  | { readonly status: 'not-applicable' }

/** URL of a call over REST, and path that an envelope is posted to, in a version with another base path. */
export type NewAddress = { readonly [protocol in Protocol]?: string }

/** What decided the level of a schema's change: the schema where it stands, and what tells the versions apart. */
export interface Evidence {
  /** The value that one version's schema accepts and the other's rejects. */
  readonly witness?: Json
  /** Path of the value that the witness is, where that is not the change's own: of the object that lacks a property. */
  readonly at?: string
  /** Why nothing could be decided. */
  readonly reason?: string
  /** What is sent, where that is no result of the operation. */
  readonly sent?: Sent
  /** How other operations meet the change of a shared schema. */
  readonly elsewhere?: readonly Elsewhere[]
}

export interface Elsewhere {
  readonly operation: string
  readonly path: string
  readonly evidence: Evidence
}

/** An answer that no call over JSON-RPC has as its result, or a message that the service sends of its own accord. */
export type Sent = SentAs & {
  /** Its schema, as each version's document has it. */
  readonly old: Json
  readonly new: Json
  /** The start of the change's path that no value has. */
  readonly base: string
}

export interface SentAs {
  /** As the document has it, `4XX` or `default` too; of an answer. */
  readonly status?: string
  /** Of a message. */
  readonly method?: string
  /** The expression of a callback's address. */
  readonly url?: string
  /** Media type. */
  readonly type: string
  /** How the stream is written that it is a piece of. */
  readonly stream?: Pick<AnswerMedia, 'kind' | 'data'>
}

/** One change, at the smallest place that explains it. */
export interface Change {
  readonly id: ChangeId
  readonly level: Level
  readonly protocols: readonly Protocol[]
  /** Name of the operation, in the new version where it still exists; null for the document as a whole. */
  readonly operation: string | null
  /** All operations that the change reaches, `operation` first: more than one where a shared schema changed. */
  readonly operations: readonly string[]
  readonly direction: 'request' | 'response' | null
  /** Within the params or the result: `/items/credit`; empty for the whole. */
  readonly path: string
  readonly message: string
  readonly old: Place | null
  readonly new: Place | null
  readonly proof: Proof
  /** Names of the operations whose handlers have to be looked at. */
  readonly handlers: readonly string[]
  readonly fingerprint: string
  /** Null where nobody accepts it. */
  readonly waiver: Waiver | null
  /** For proofs, not for reports. */
  readonly evidence?: Evidence
  /** What copies of one inline schema have in common that changed alike, wherever they stand; for grouping, not for reports. */
  readonly copy?: string
}

/** Why a change may pass although it would fail the gate. */
export interface Waiver {
  readonly owner: string
  readonly reason: string
  /** The last day on which it holds, `2026-12-31`. */
  readonly expires: string
}

/** Two versions of one service, compared. */
export interface Comparison {
  readonly old: Reviewed
  readonly new: Reviewed
  readonly verdict: { readonly [protocol in Protocol]: Verdict }
  readonly bump: Bump
  /** Grouped by operation, the worst first. */
  readonly changes: readonly Change[]
  /** Operations of both versions that were taken for one. */
  readonly pairs: readonly Paired[]
  /** How many operations each version has, and how surely those of one are those of the other. */
  readonly pairing: PairingScore
}

export interface PairingScore {
  readonly old: number
  readonly new: number
  readonly paired: number
  /** Part of the smaller version's operations that have a partner, those alike by their likeness: 0 to 1. */
  readonly score: number
}

interface Reviewed {
  readonly file: string
  readonly version: string
}

export interface Bump {
  /** By the changes that nobody has waived. */
  readonly required: BumpSize
  /** `none` as well where a version is no semantic version; then `ok`, since it promises nothing. */
  readonly declared: BumpSize
  readonly ok: boolean
}

export type BumpSize = 'major' | 'minor' | 'patch' | 'none'

/** How two operations found each other. */
export interface Paired {
  readonly old: string
  readonly new: string
  readonly by: 'rpc-method' | 'path' | 'operation-id' | 'similarity'
  /** Whose callers go from one to the other, where those of the two protocols part. */
  readonly protocol?: Protocol
  /** Of similarity, 0 to 1; 1 where a name decided. */
  readonly score: number
}
