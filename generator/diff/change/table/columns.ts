/** What the table of changes says of each change, except for its level. */
export interface ChangeColumns {
  /** What happened, for the docs, and for messages unless there is a label. */
  readonly words: string
  /** Keywords that validators name when they refuse what the change refuses. Empty if they are unknown. */
  readonly refusedBy: readonly string[]
  /** Whether handlers may need an edit. */
  readonly handlers: HandlerNeed
  /** The section of the changelog, unless the change breaks. Null if the changelog reads it from the documents. */
  readonly section: Section | null
  readonly traits: readonly ChangeTrait[]
}

/**
 * Whether a change affects what a handler receives or returns, or that it exists. `loosened`: only if it does not break
 * callers. If a bound breaks them, fewer values come in or more may go out, and the handler stays correct.
 */
type HandlerNeed = 'always' | 'loosened' | 'never'

export type Section = 'added' | 'changed' | 'deprecated' | 'removed'

/** What levels and proofs depend on. */
export type ChangeTrait =
  /** The new version has no such operation. */
  | 'removal'
  /** Callers no longer find the operation at its old address. */
  | 'move'
  /** A call needs credentials that it did not need. */
  | 'credentials'
  /** It reaches operations without `security` of their own. */
  | 'inherited'
  /** A security scheme needs another credential. */
  | 'scheme'
  /** The new version no longer knows what was sent. */
  | 'loss'
  /** What is sent as before arrives as another value. */
  | 'other value'
  /** An object in the query may be written with other names. */
  | 'other names'
  /** The body is one param in one version and several in the other. */
  | 'body form'
  /** It shows in the media type of a response. */
  | 'media type'
  /** It shows as a missing value. */
  | 'absence'
  /** Validators may fill in a property that a request omits, or stop doing so. */
  | 'filled in'
  /** A property is required unless a default fills it in. */
  | 'required with default'
  /** The lower bound of `contains` decides alone. */
  | 'fewest contained'
  /** The upper bound of `contains` decides alone. */
  | 'most contained'
  /** Only the names that changed decide. */
  | 'names'
  /** It is about null alone. */
  | 'null'
  /** Over REST, the text of a value decides, not its type. */
  | 'text'
  | 'property added'
  | 'property removed'

export const added = { section: 'added' } as const
export const removed = { section: 'removed' } as const

export function columnsOf(words: string, columns: Partial<ChangeColumns>): ChangeColumns {
  return { words, refusedBy: [], handlers: 'always', section: 'changed', traits: [], ...columns }
}
