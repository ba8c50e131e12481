import { message, physical, sarifLog } from '../../diff/report/sarif-parts.js'
import { type Finding, type FindingKind, findingKinds } from '../finding.js'
import type { TestReport } from './outcome.js'

/** SARIF 2.1.0: a rule for each kind of finding, a result for each finding, at its place in the document. */
export function reportSarif({ findings, stopped }: TestReport, version: string): object {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].sort()
  const results = findings.map((finding) => resultOf(finding, kinds))
  const notice = stopped === null ? undefined : message(stopped)
  return sarifLog('duet test', version, kinds.map(ruleOf), results, notice)
}

function ruleOf(id: FindingKind): object {
  return { id, shortDescription: { text: findingKinds[id] }, defaultConfiguration: { level: 'error' } }
}

function resultOf(finding: Finding, kinds: readonly FindingKind[]): object {
  const { kind, operation, protocol, at, curl, status, fingerprint, waiver } = finding
  return {
    ruleId: kind,
    ruleIndex: kinds.indexOf(kind),
    level: 'error',
    message: { text: message(`${operation}: ${finding.message}`) },
    locations: [{ ...physical(at), logicalLocations: [{ fullyQualifiedName: operation, kind: 'function' }] }],
    partialFingerprints: { 'duetTest/v1': fingerprint },
    ...(waiver !== null && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: message(waiver.reason) }],
    }),
    properties: { protocol, status, curl },
  }
}
