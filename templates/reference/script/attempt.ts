import { isApiError, type Violation } from 'duet-runtime/client'

/** The value of an attempt, or the reason for its failure. */
export type Attempt<Value> = { readonly value: Value } | Refusal

interface Refusal {
  readonly reason: string
  /** The invalid values; empty if the reason is another one. */
  readonly violations: readonly Violation[]
}

/** The form refuses to send what it has. */
export class Refused extends Error {
  constructor(readonly violations: readonly Violation[]) {
    super('The form is not complete')
  }
}

export async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    const violations = isApiError(error) || error instanceof Refused ? error.violations : []
    if (violations.length > 0) return { reason: violations.map(describe).join('; '), violations }
    return { reason: error instanceof Error ? error.message : String(error), violations }
  }
}

function describe({ path, message }: Violation): string {
  return path === '' ? message : `${path.slice(1)}: ${message}`
}
