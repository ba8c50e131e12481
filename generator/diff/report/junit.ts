import type { Change, Comparison } from '../change/change.js'
import type { Gate } from '../gate/gate.js'
import { type JunitCase, junitText } from './junit-text.js'
import { callsOf } from './proofs.js'
import { headline } from './rows.js'
import { sectionsOf } from './sections.js'
import { onlyText, positionText, reachText, unshown, waivedText } from './words.js'

/** JUnit XML: a suite for each operation, a case for each change. What fails the gate fails. */
export function comparisonJunit(
  { old, new: fresh, changes }: Comparison,
  { failing, objections }: Pick<Gate, 'failing' | 'objections'>,
): string {
  const failed = new Set(failing)
  const suites = sectionsOf(changes).map(({ title, changes: of }) => ({
    name: title,
    cases: of.map((change) => testCase(change, failed.has(change))),
  }))
  const ofGate = objections.map(({ id, message, at }) => ({
    ...{ name: message, place: at },
    failure: { type: id, message },
  }))
  const name = `${old.file} (${old.version}) to ${fresh.file} (${fresh.version})`
  return junitText(name, [...suites, ...(ofGate.length === 0 ? [] : [{ name: 'the gate', cases: ofGate }])])
}

function testCase(change: Change, fails: boolean): JunitCase {
  const { level, id, waiver, proof } = change
  const only = onlyText(change)
  const name = `${headline(change)}${only === undefined ? '' : ` [${only}]`}`
  const place = change.new ?? change.old
  if (waiver !== null) return { name, place, skipped: waivedText(waiver) }
  if (!fails) return { name, place }
  const details = [
    ...(change.operations.length > 1 ? [reachText(change)] : []),
    ...[change.old, change.new].flatMap((at) => (at === null ? [] : [positionText(at)])),
    ...(unshown(proof) === undefined ? [] : [`proof ${unshown(proof)}`]),
    ...callsOf(proof).map(({ title, text }) => `${title}: ${text}`),
    `fingerprint ${change.fingerprint}`,
  ]
  return { name, place, failure: { type: id, message: `${level}: ${change.message}`, details } }
}
