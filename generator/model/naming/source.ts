import type { Position } from '../../document/document.js'

/** The parts of an operation that make its name. Of other operations, only the GET of the same path counts. */
export interface NameSource {
  /** `x-rpc-method`, if it is a text. */
  readonly method: string | undefined
  readonly operationId: string | undefined
  /** The first tag. */
  readonly tag?: string | undefined
  /** The first word of the summary, else of the description, in lower case. */
  readonly summaryVerb?: string | undefined
  /** The HTTP method in lower case. */
  readonly verb: string
  /** With what else tells the operation from others: fixed query parameters, a fragment. */
  readonly path: string
  /** The path that calls use. Default: `path`. */
  readonly route?: string
  /** Whether a success returns a list. `unknown` if the document does not describe the response. */
  readonly answers?: () => 'list' | 'other' | 'unknown'
  /** Whether a success returns the one object that the request sends. */
  readonly answersSent?: () => boolean
  /** Whether the GET of the same path returns one object, and the request does not list any. */
  readonly isSingleton?: () => boolean
  readonly at: () => Position
}

/**
 * A name cannot start with one of these parts: `rpc` (JSON-RPC 2.0 section 4.3), `then`, which would make a
 * client a promise, and `default`, the namespace of names without a dot.
 */
export const reserved: ReadonlySet<string> = new Set(['default', 'rpc', 'then'])

export const namePattern = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/

/** The operationId, if it is already a dotted name. */
export function dottedId({ operationId }: NameSource): string | undefined {
  if (!operationId?.includes('.') || !namePattern.test(operationId)) return undefined
  return reserved.has(operationId.split('.')[0] ?? '') ? undefined : operationId
}

export function titleOf({ verb, path }: NameSource): string {
  return `${verb.toUpperCase()} ${path}`
}

/** The names that an operation may have. They do not depend on other operations. */
export interface Names {
  /** The best one first. The others are for clashes. */
  readonly preferred: readonly string[]
  /** Names for clashes with other methods: `replace` for a PUT next to a PATCH. */
  readonly byMethod: readonly string[]
  /** Names that the operation keeps, but does not get anew. */
  readonly kept: readonly string[]
  /**
   * Lower ranks come first in a clash. Actions on many things and ids with the number of an overload have higher ones.
   */
  readonly rank: number
}
