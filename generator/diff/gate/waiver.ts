import type { Position } from '../../document/document.js'
import type { Waiver } from '../change/change.js'
import type { UsageFloor } from './usage.js'

/** An entry of a file of waivers: a person accepts one change for a time. */
export interface WaiverEntry extends Waiver {
  readonly fingerprint: string
  /** The change id, for readers. It must match the change. */
  readonly id?: string
  /** The operations that the change may reach. Any if absent. */
  readonly operations?: readonly string[]
  /** The versions of the review that it belongs to. Every review if absent. */
  readonly from?: string
  readonly to?: string
  /** It holds only while ledgers show that nobody depends on the change. */
  readonly unused?: UsageFloor
  /** The position of the entry and of each field. */
  readonly at: Position
  readonly fieldPosition: (field: WaiverField) => Position
}

export const requiredFields = ['fingerprint', 'owner', 'reason', 'expires'] as const
export const waiverFields = [...requiredFields, 'id', 'operation', 'from', 'to', 'unused'] as const
export type WaiverField = (typeof waiverFields)[number]
