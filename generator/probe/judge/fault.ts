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

/** The faults of a response at one place of the document. */
export function faultsAt(
  at: DocumentPosition,
): (kind: FindingKind, detail: string, message: string) => Fault[] {
  return (kind, detail, message) => [{ kind, detail, at, message }]
}

/** What is wrong with the code of a problem that neither the document's catalogue nor the operation has. */
export function unknownCode(code: string): string {
  return `The server answers with the code ${code}, which is not in the document's catalogue`
}

export function serverFails(status: number, what: string): string {
  return `The server fails with ${status}, on a call ${what}`
}
