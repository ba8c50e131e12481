/** Values of `naming` in the config file. */
export const strategies = ['operationId', 'path', 'classic'] as const

/**
 * `operationId`: by the operationId, else by path and method. `path`: by path and method. `classic`: the rules of
 * versions that were generated before there was a choice, so their manifest has no `naming`.
 */
export type Strategy = (typeof strategies)[number]

export function isStrategy(value: unknown): value is Strategy {
  return strategies.some((known) => known === value)
}

/** What determines names, besides the document. */
export interface Naming {
  readonly strategy?: Strategy
  /** The names of this version when it was last generated, else of the version before. */
  readonly earlier?: readonly EarlierName[]
}

export interface EarlierName {
  readonly name: string
  /** The HTTP method, in upper or lower case. */
  readonly method: string
  readonly path: string
  readonly operationId?: string | undefined
  /** Whether `x-rpc-method` gave it. */
  readonly stated?: boolean | undefined
}
