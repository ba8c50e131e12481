import type { AnswerMedia, Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../document/document.js'
import type { ChangeId } from './catalogue.js'
import type { Level } from './level.js'

export type Verdict = 'identical' | 'compatible' | 'dangerous' | 'breaking'

/** The verdict for each protocol that one of the documents serves. */
export interface Verdicts extends Readonly<Partial<Record<Protocol, Verdict>>> {
  readonly rest: Verdict
  readonly jsonrpc: Verdict
}

/** A position in one of the two documents. Line and column count from 1. */
export interface DocumentPosition {
  readonly pointer: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The caller's credentials: header fields, and text to append to the query. Each value ends in a placeholder. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
}

/** Shows that a change breaks: a request, or a response, that one version accepts and the other rejects. */
export type Proof =
  | {
      readonly status: 'verified'
      readonly value: Json
      /** The path of the old version's base URL, with which the addresses below begin. Absent: none. */
      readonly basePath?: string
      readonly rest?: JsonObject
      readonly jsonrpc?: JsonObject
      /** The path that receives the envelope, if that is not the service's root: `/v1/`. */
      readonly jsonrpcPath?: string
      /** A call of the operation's tool. */
      readonly mcp?: JsonObject
      /** The path that receives it. */
      readonly mcpPath?: string
      /**
       * The address of the same calls in the new version, if its base path differs. That change is reported separately.
       */
      readonly newAddress?: NewAddress
      /** The credentials of the calls. The REST call includes them already. */
      readonly credentials?: Credentials
      /** The operation of the call, if it is another one that the change reaches. */
      readonly operation?: string
      readonly old: string
      readonly new: string
    }
  | { readonly status: 'unproven'; readonly reason: string }
  /** The fingerprint of a proven change of the same edit, such as another value of one list. No other was searched for. */
  | { readonly status: 'alike'; readonly fingerprint: string }
  /** No request and no response can show it, such as an announced sunset that moved. */
  | { readonly status: 'not-applicable' }

/** The URL of a REST call and the path that receives an envelope, in a version with another base path. */
export type NewAddress = { readonly [protocol in Protocol]?: string }

/** What decided the level of a schema change: the schema's position, and a value that distinguishes the versions. */
export interface Evidence {
  /** The value that one version's schema accepts and the other's rejects. */
  readonly witness?: Json
  /** The path of the witness, if it differs from the change's: the object without a property. */
  readonly at?: string
  /** Why nothing could be decided. */
  readonly reason?: string
  /** Set if the change is one of a base's children, and validators check the base alone. */
  readonly isOfChild?: true
  /** How the value is sent, if it is not a result of the operation. */
  readonly sent?: Sent
  /** How the change of a shared schema occurs in other operations. */
  readonly elsewhere?: readonly Elsewhere[]
  /** Every place in which a change of a schema occurs, for usage. */
  readonly places?: readonly Place[]
}

/** Where a change occurs in an operation of the new version. */
export interface Place {
  readonly operation: string
  readonly path: string
  /** The path of the value that decided the level, if it differs. */
  readonly at?: string
}

export interface Elsewhere {
  readonly operation: string
  readonly path: string
  readonly evidence: Evidence
}

/** A response that is never a result over JSON-RPC, or a message that the service sends on its own. */
export type Sent = SentAs & {
  /** The schema in each version's document. */
  readonly old: Json
  readonly new: Json
  /** The start of the change's path that is not part of the value. */
  readonly base: string
}

export interface SentAs {
  /** The status of a response as the document has it, including `4XX` and `default`. */
  readonly status?: string
  /** The method of a message. */
  readonly method?: string
  /** The expression of a callback's URL. */
  readonly url?: string
  /** Media type. */
  readonly type: string
  /** The encoding of the stream that the value is an item of. */
  readonly stream?: Pick<AnswerMedia, 'kind' | 'data' | 'text'>
}

/** One change, at the smallest position that explains it. */
export interface Change {
  readonly id: ChangeId
  readonly level: Level
  readonly protocols: readonly Protocol[]
  /** The operation's name, in the new version if it still exists. Null for the document as a whole. */
  readonly operation: string | null
  /** All operations that the change reaches, `operation` first. A shared schema may reach several. */
  readonly operations: readonly string[]
  readonly direction: 'request' | 'response' | null
  /** The path within params or result: `/items/credit`. Empty for the whole. */
  readonly path: string
  readonly message: string
  readonly old: DocumentPosition | null
  readonly new: DocumentPosition | null
  readonly proof: Proof
  /** The operations whose handlers may need an edit. */
  readonly handlers: readonly string[]
  readonly fingerprint: string
  /**
   * The fingerprint of the change that this is a part of, for other protocols with a proof of their own. Reports count
   * both as one.
   */
  readonly partOf?: string
  /** Null if no waiver accepts it. */
  readonly waiver: Waiver | null
  /** What a ledger says of breaking and dangerous changes. Absent: the review has none. */
  readonly usage?: ChangeUsage
  /** What converts for callers of the old version. Absent without `--adapters`, and if nothing does. */
  readonly adapter?: string
  /** For proofs, not for reports. */
  readonly evidence?: Evidence
  /** Equal for copies of an inline schema that changed alike. For grouping, not for reports. */
  readonly copy?: string
}

/** Whether callers depend on what a change breaks, as far as their calls tell. */
export interface ChangeUsage {
  /**
   * `used`: some calls depend on the change, or nothing shows whether they do. `unused`: enough calls were watched, and
   * none depends on it. `unknown`: too few calls were watched.
   */
  readonly verdict: 'used' | 'unused' | 'unknown'
  /** `hit by 3 consumers over JSON-RPC, last on 2026-11-20`. */
  readonly text: string
  /** The consumers whose calls show it. Of a change that no call can show: those that call its operations. */
  readonly consumers: number
  /** The calls that show it. */
  readonly hits: number
  /** The calls of its operations over its protocols, and how many of them were tried on the new version. */
  readonly calls: number
  readonly sampled: number
  /** The last day with such a call. Null: there is none. */
  readonly last: string | null
}

/** Why a change passes although it would fail the gate. */
export interface Waiver {
  readonly owner: string
  readonly reason: string
  /** The last day of its validity: `2026-12-31`. */
  readonly expires: string
}

/** Two versions of one service, compared. */
export interface Comparison {
  /** The API's name, as the newer document has it. Empty if it has none. */
  readonly title: string
  readonly old: Reviewed
  readonly new: Reviewed
  /** MCP only if one of the documents has tools. */
  readonly verdict: Verdicts
  readonly bump: Bump
  /** Grouped by operation, the worst first. */
  readonly changes: readonly Change[]
  /** Operations of both versions that are paired as one. */
  readonly pairs: readonly Paired[]
  /** The number of operations in each version, and how surely they are paired. */
  readonly pairing: PairingScore
}

export interface PairingScore {
  readonly old: number
  readonly new: number
  readonly paired: number
  /**
   * The share of the smaller version's operations that have a partner, 0 to 1. Similar ones count by their similarity.
   */
  readonly score: number
}

interface Reviewed {
  readonly file: string
  readonly version: string
}

export interface Bump {
  /** From the changes without a waiver. */
  readonly required: BumpSize
  /** Also `none` if a version is not a semantic version. `ok` is then true, because such a version promises nothing. */
  readonly declared: BumpSize
  readonly ok: boolean
}

export type BumpSize = 'major' | 'minor' | 'patch' | 'none'

/** How two operations were paired. */
export interface Paired {
  readonly old: string
  readonly new: string
  readonly by: 'rpc-method' | 'path' | 'operation-id' | 'similarity'
  /** The callers who follow this pair, if they differ: by path, or by name. */
  readonly callers?: 'path' | 'name'
  /** The similarity, 0 to 1. It is 1 if a name decided. */
  readonly score: number
}
