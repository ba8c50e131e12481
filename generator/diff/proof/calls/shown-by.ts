import type { Json } from '../../../document/document.js'
import type { Sent } from '../../change/change.js'
import type { Met, Way } from '../../change/place.js'
import type { Arrival } from './arrival.js'
import type { Cause } from './calls.js'
import type { Undeclared } from './exchange.js'
import type { Pair } from './pair.js'

/** How a call or an answer shows a change. */
export interface Showing {
  readonly pair: Pair
  /** Where the change stands; the whole where it is about no value. */
  readonly way: Way
  /** What to look for in a whole, the likeliest first. */
  readonly conditions: readonly Json[]
  /** Whether every call shows it. */
  readonly isAnyCall?: boolean
  /** What about a refusal is due to the change. */
  readonly cause: Cause
  /** Whether only what the other version takes but for the place of the change shows it: other changes stand around it. */
  readonly isAlone?: true
  /** The other half of a rename: only both together are refused. */
  readonly partner?: { readonly met: Met; readonly way: Way }
  /** What both versions' accepting a call does not tell. */
  readonly remark?: string
  /** What about an answer shows the change, where its value does not. */
  readonly undeclared?: Undeclared
  /** What an answer is, where it is no result of the operation. */
  readonly sent?: Sent
  /** The operation that streams it, if it is a piece of a result. */
  readonly streaming?: Pair
  /** Whose value shows the change where both versions take a call. */
  readonly arrival?: Arrival
}
