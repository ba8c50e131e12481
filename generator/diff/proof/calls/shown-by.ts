import type { Json } from '../../../document/document.js'
import type { Sent } from '../../change/change.js'
import type { Met, Way } from '../../change/place.js'
import type { Arrival } from './arrival.js'
import type { Cause } from './causes.js'
import type { Undeclared } from './exchange.js'
import type { Pair } from './pair.js'

/** Another change. `isOfAbsence`: whether it matters to values that hold nothing at its path. */
export interface Beside {
  readonly way: Way
  readonly isOfAbsence: boolean
}

/** How a request or a response shows a change. */
export interface Showing {
  readonly pair: Pair
  /** The path of the change. Empty if it is about no value. */
  readonly way: Way
  /** What to search for, the likeliest first. */
  readonly conditions: readonly Json[]
  /** Params to try before any search: schemas alone do not accept them without the default that validators fill in. */
  readonly exact?: Json
  /** Whether every call shows it. */
  readonly isAnyCall?: boolean
  /** Finds what in a refusal the change causes. */
  readonly cause: Cause
  /**
   * Whether the value must be acceptable to the other version except at the change's path, because other changes
   * surround it.
   */
  readonly isAlone?: true
  /** Those changes, if they matter only to values that hold something at their paths. */
  readonly beside?: readonly Beside[]
  /** The other half of a rename. Only both together are refused. */
  readonly partner?: { readonly met: Met; readonly way: Way }
  /** What an accepted call does not show. */
  readonly remark?: string
  /** What in a response shows the change, if its value does not. */
  readonly undeclared?: Undeclared
  /** The media type of a file in such a response. */
  readonly type?: string
  /** How a response is sent that is not a result of the operation. */
  readonly sent?: Sent
  /** The operation that streams it, if it is a piece of a result. */
  readonly streaming?: Pair
  /** The value that shows the change if both versions accept a call. */
  readonly arrival?: Arrival
}
