import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { WaiverEntry } from '../diff/gate/waiver.js'
import type { Finding } from './finding.js'

/**
 * Marks waived findings. A waiver without a finding is no fault: which calls a run sends depends on its seed.
 *
 * @param today `2026-11-21`. A waiver is valid until the end of its last day.
 */
export function waiveFindings(
  findings: readonly Finding[],
  waivers: readonly WaiverEntry[],
  today: string,
): { readonly findings: readonly Finding[]; readonly expired: readonly Diagnostic[] } {
  const valid = new Map(
    waivers.filter(({ expires }) => expires >= today).map((one) => [one.fingerprint, one]),
  )
  const expired = waivers.filter((one) => one.expires < today && !valid.has(one.fingerprint))
  return {
    findings: findings.map((finding) => {
      const waiver = valid.get(finding.fingerprint)
      if (waiver === undefined) return finding
      const { owner, reason, expires } = waiver
      return { ...finding, waiver: { owner, reason, expires } }
    }),
    expired: expired.map((one) => {
      const message = `The waiver of ${one.id ?? one.fingerprint} by ${one.owner} ended on ${one.expires}`
      return diagnose('waiver-expired', message, one.fieldPosition('expires'))
    }),
  }
}
