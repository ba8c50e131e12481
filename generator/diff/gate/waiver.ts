import type { Position } from '../../document/document.js'
import type { Waiver } from '../change/change.js'

/** An entry of a file of waivers: somebody accepts one change, for a time. */
export interface WaiverEntry extends Waiver {
  readonly fingerprint: string
  /** What the change is; for people, and held against the change. */
  readonly id?: string
  /** Operations that the change may reach; any where absent. */
  readonly operations?: readonly string[]
  /** Versions of the review that it belongs to; of every review where absent. */
  readonly from?: string
  readonly to?: string
  /** Where the entry begins, and where each of its fields stands. */
  readonly at: Position
  readonly place: (field: WaiverField) => Position
}

export const requiredFields = ['fingerprint', 'owner', 'reason', 'expires'] as const
export const waiverFields = [...requiredFields, 'id', 'operation', 'from', 'to'] as const
export type WaiverField = (typeof waiverFields)[number]
