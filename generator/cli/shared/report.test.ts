import { createColors } from 'picocolors'
import { expect, it } from 'vitest'
import type { Code } from '../../diagnostics/catalogue.js'
import type { Severity } from '../../diagnostics/code-definition.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { textReport } from './report.js'

const found = (severity: Severity, code: Code, line: number): Diagnostic => ({
  ...{ code, severity, message: `${code} ${line}`, remedy: 'Mend it.' },
  at: { file: 'api.yaml', line, column: 3 },
})

// @ts-expect-error: no table has the code
found('warning', 'unknown-feild', 1)

const findings = {
  file: 'api.yaml',
  files: [],
  diagnostics: [
    found('warning', 'unknown-field', 1),
    found('error', 'wrong-type', 2),
    ...[3, 4, 5, 6, 7, 8, 9].map((line) => found('warning', 'unknown-field', line)),
    found('warning', 'enum-empty', 10),
  ],
}

it('shows the first warning of each code, how many there are and where, and errors last', () => {
  expect(textReport(findings, 100, createColors(false))).toBe(`api.yaml:1:3 warning unknown-field
unknown-field 1
Remedy: Mend it.
and 7 more unknown-field: api.yaml:3:3, api.yaml:4:3, api.yaml:5:3, api.yaml:6:3, api.yaml:7:3, …

api.yaml:10:3 warning enum-empty
enum-empty 10
Remedy: Mend it.

api.yaml:2:3 error wrong-type
wrong-type 2
Remedy: Mend it.

1 error, 9 warnings in api.yaml (--verbose shows each warning)
`)
})

it('shows each with its lines on request', () => {
  const text = textReport(findings, 100, createColors(false), true)
  expect([...text.matchAll(/^api\.yaml:(\d+)/gm)].map(([, line]) => line)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
  ])
})

it('shows the messages of warnings that have one position', () => {
  const all = ['admin', 'billing', 'carts', 'drafts', 'events', 'files', 'gifts'].map((name) => ({
    ...found('warning', 'selection-unmatched', 3),
    message: `No operation matches "${name}"`,
  }))
  const text = textReport({ ...findings, diagnostics: all }, 100, createColors(false))
  expect(text).toContain(`No operation matches "admin"
Remedy: Mend it.
and 6 more selection-unmatched:
  No operation matches "billing"
  No operation matches "carts"
  No operation matches "drafts"
  No operation matches "events"
  No operation matches "files"
  …
`)
})

it('shows infos as one line for each code, and in full on request', () => {
  const infos = [3, 4, 5, 6, 7, 8].map((line) => found('info', 'params-merged', line))
  const diagnostics = [found('error', 'wrong-type', 2), ...infos, found('info', 'unknown-field', 9)]
  expect(
    textReport({ ...findings, diagnostics }, 100, createColors(false)),
  ).toBe(`api.yaml:2:3 error wrong-type
wrong-type 2
Remedy: Mend it.

info params-merged: api.yaml:3:3, api.yaml:4:3, api.yaml:5:3, api.yaml:6:3, api.yaml:7:3, … (6)
info unknown-field: api.yaml:9:3

1 error, 0 warnings in api.yaml (--verbose shows each finding)
`)
  const verbose = textReport({ ...findings, diagnostics }, 100, createColors(false), true)
  expect(verbose).toContain(`api.yaml:4:3 info params-merged
params-merged 4
Remedy: Mend it.
`)
})
