import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { WaiverEntry } from '../diff/gate/waiver.js'
import type { Finding } from './finding.js'

/**
 * Marks waived findings. A waiver without a finding is no fault: which calls a run sends depends on its seed. One that names
 * another operation than that of its finding does not hold, and is a fault.
 *
 * @param today `2026-11-21`. A waiver is valid until the end of its last day.
 */
export function waiveFindings(
  findings: readonly Finding[],
  waivers: readonly WaiverEntry[],
  today: string,
): { readonly findings: readonly Finding[]; readonly stale: readonly Diagnostic[] } {
  const valid = waivers.filter(({ expires }) => expires >= today)
  const known = new Set(valid.map(({ fingerprint }) => fingerprint))
  const expired = waivers.filter((one) => one.expires < today && !known.has(one.fingerprint))
  const operationOf = new Map(findings.map(({ fingerprint, operation }) => [fingerprint, operation]))
  const mistaken = valid.flatMap((one) => {
    const operation = operationOf.get(one.fingerprint)
    if (operation === undefined || accepts(one, operation)) return []
    const message = `The finding ${one.fingerprint} is one of ${operation}, which the waiver does not name`
    return [diagnose('waiver-mismatch', message, one.fieldPosition('operation'))]
  })
  return {
    findings: findings.map((finding) => {
      const waiver = valid.find(
        (one) => one.fingerprint === finding.fingerprint && accepts(one, finding.operation),
      )
      if (waiver === undefined) return finding
      const { owner, reason, expires } = waiver
      return { ...finding, waiver: { owner, reason, expires } }
    }),
    stale: [
      ...mistaken,
      ...expired.map((one) => {
        const message = `The waiver of ${one.id ?? one.fingerprint} by ${one.owner} ended on ${one.expires}`
        return diagnose('waiver-expired', message, one.fieldPosition('expires'))
      }),
    ],
  }
}

function accepts({ operations }: WaiverEntry, operation: string): boolean {
  return operations?.includes(operation) ?? true
}
