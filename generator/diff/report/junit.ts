import type { Change, Comparison } from '../change/change.js'
import type { Gate, Objection } from '../gate/gate.js'
import { callsOf } from './proofs.js'
import { headline } from './rows.js'
import { sectionsOf } from './sections.js'
import { onlyText, positionText, reachText, unshown, waivedText } from './words.js'
import { attributes, xml } from './xml.js'

/** JUnit XML: a suite for each operation, a case for each change. What fails the gate fails. */
export function comparisonJunit(
  { old, new: fresh, changes }: Comparison,
  { failing, objections }: Pick<Gate, 'failing' | 'objections'>,
): string {
  const failed = new Set(failing)
  const count = objections.length
  const suites = sectionsOf(changes).map(({ title, changes: of }) => [
    `  <testsuite${attributes({ name: title, ...totals(of, failed) })}>`,
    ...of.flatMap((change) => testCase(title, change, failed.has(change))),
    '  </testsuite>',
  ])
  const all = totals(changes, failed)
  const name = `${old.file} (${old.version}) to ${fresh.file} (${fresh.version})`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, tests: all.tests + count, failures: all.failures + count, skipped: all.skipped })}>`,
    ...suites.flat(),
    ...(count === 0 ? [] : gateSuite(objections)),
    '</testsuites>',
    '',
  ].join('\n')
}

function gateSuite(objections: readonly Objection[]): string[] {
  const { length } = objections
  return [
    `  <testsuite${attributes({ name: 'the gate', tests: length, failures: length, skipped: 0 })}>`,
    ...objections.flatMap(({ id, message, at }) => {
      const where = at === null ? {} : { file: at.file, line: at.line }
      return [
        `    <testcase${attributes({ classname: 'the gate', name: message, ...where })}>`,
        `      <failure${attributes({ type: id, message })}/>`,
        '    </testcase>',
      ]
    }),
    '  </testsuite>',
  ]
}

function totals(
  changes: readonly Change[],
  failed: ReadonlySet<Change>,
): { tests: number; failures: number; skipped: number } {
  return {
    tests: changes.length,
    failures: changes.filter((change) => failed.has(change)).length,
    skipped: changes.filter(({ waiver }) => waiver !== null).length,
  }
}

function testCase(suite: string, change: Change, fails: boolean): string[] {
  const { level, id, waiver, proof } = change
  const only = onlyText(change)
  const name = `${headline(change)}${only === undefined ? '' : ` [${only}]`}`
  const place = change.new ?? change.old
  const where = place === null ? {} : { file: place.file, line: place.line }
  const open = `    <testcase${attributes({ classname: suite, name, ...where })}`
  if (waiver !== null)
    return [`${open}>`, `      <skipped${attributes({ message: waivedText(waiver) })}/>`, '    </testcase>']
  if (!fails) return [`${open}/>`]
  const details = [
    ...(change.operations.length > 1 ? [reachText(change)] : []),
    ...[change.old, change.new].flatMap((at) => (at === null ? [] : [positionText(at)])),
    ...(unshown(proof) === undefined ? [] : [`proof ${unshown(proof)}`]),
    ...callsOf(proof).map(({ title, text }) => `${title}: ${text}`),
    `fingerprint ${change.fingerprint}`,
  ]
  return [
    `${open}>`,
    `      <failure${attributes({ type: id, message: `${level}: ${change.message}` })}>${xml(details.join('\n'))}</failure>`,
    '    </testcase>',
  ]
}
