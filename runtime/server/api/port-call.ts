import type { Operation } from '../../contract/operation.js'
import type { Problem } from '../../contract/problem-details.js'

/** What a protocol of a team's own calls operations by. Each call is dispatched as those of the other protocols are. */
export interface Port {
  /** By name. */
  readonly operations: ReadonlyMap<string, Operation>
  call(call: PortCall): Promise<PortAnswer>
}

/** A call as a protocol received it. */
export interface PortCall {
  /** Name of the operation. An unknown one is a problem as well. */
  readonly operation: string
  /** The params as JSON text, `__tz` included if it was sent. Default: `{}`. */
  readonly params?: string | undefined
  /** Headers with the credentials, by name in lower case: a security scheme of the document reads them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts when the caller is gone. */
  readonly signal?: AbortSignal
  readonly requestId?: string
  /** IP address of the caller. */
  readonly address?: string
}

/** The result as JSON text, or the problem that every protocol would answer. */
export type PortAnswer =
  | { readonly result: string; readonly problem?: undefined }
  | { readonly result?: undefined; readonly problem: Problem }
