/** How names are made; `naming` in the config file. */
export const strategies = ['operationId', 'path', 'classic'] as const

/**
 * `operationId`: by the operationId, else by path and method. `path`: by path and method. `classic`: by path and method as
 * versions are named whose manifest has no `naming`.
 */
export type Strategy = (typeof strategies)[number]

export function isStrategy(value: unknown): value is Strategy {
  return strategies.some((known) => known === value)
}

/** What names depend on beside the document. */
export interface Naming {
  readonly strategy?: Strategy
  /** Names of the version as it was generated before, else of the version before it. */
  readonly earlier?: readonly EarlierName[]
}

export interface EarlierName {
  readonly name: string
  /** In any letters. */
  readonly method: string
  readonly path: string
  readonly operationId?: string | undefined
}
