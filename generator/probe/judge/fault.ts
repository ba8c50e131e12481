import type { DocumentPosition } from '../../diff/change/change.js'
import type { FindingKind } from '../finding.js'

/** A contradiction between a response and the document, before it becomes a finding. */
export interface Fault {
  readonly kind: FindingKind
  /** What distinguishes it from faults of its kind in the same operation. */
  readonly detail: string
  readonly at: DocumentPosition
  readonly message: string
}
