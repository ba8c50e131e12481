import type { Way } from '../../diff/change/place.js'
import type { JsonObject } from '../../document/document.js'

/** A call to try. */
export interface Case {
  /** Whether the document allows it. `open`: it leaves that to the server. `anonymous`: it would, with a credential. */
  readonly kind: 'valid' | 'invalid' | 'open' | 'anonymous'
  readonly params: JsonObject
  /** What is special about it, as part of a sentence: `with /limit against maximum 1000`. */
  readonly what: string
  /** The path in the params that makes it special. */
  readonly way?: Way
  /** The keyword that it breaks. */
  readonly keyword?: string
  /** It differs from an accepted call only by a value that the document's own bounds name. A refusal is a fault. */
  readonly isEdge?: true
}
