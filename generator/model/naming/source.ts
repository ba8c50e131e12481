import type { Position } from '../../load/document.js'

/** What an operation's name is made from: the operation itself and nothing beside it. */
export interface NameSource {
  /** `x-rpc-method` where it is a name. */
  readonly method: string | undefined
  readonly operationId: string | undefined
  /** The first tag. */
  readonly tag?: string | undefined
  /** The first word of the summary, else of the description, in small letters. */
  readonly says?: string | undefined
  /** In small letters. */
  readonly verb: string
  readonly path: string
  /** Whether a success answers a list; `unknown` where the document does not describe it. */
  readonly answers?: () => 'list' | 'other' | 'unknown'
  readonly at: () => Position
}

/**
 * First parts that no name begins with: `rpc` (JSON-RPC 2.0 section 4.3), `then`, which would make a
 * client a promise, and `default`, the namespace of names without a dot.
 */
export const reserved: ReadonlySet<string> = new Set(['default', 'rpc', 'then'])

export const namePattern = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/

/** The operationId where it is a name with a namespace as it stands. */
export function dottedId({ operationId }: NameSource): string | undefined {
  if (!operationId?.includes('.') || !namePattern.test(operationId)) return undefined
  return reserved.has(operationId.split('.')[0] ?? '') ? undefined : operationId
}

export function titleOf({ verb, path }: NameSource): string {
  return `${verb.toUpperCase()} ${path}`
}

/** What an operation may be called; none depends on other operations. */
export interface Names {
  /** The best first; the others are for clashes. */
  readonly wished: readonly string[]
  /** Names that it takes only where it has had them. */
  readonly kept: readonly string[]
}
