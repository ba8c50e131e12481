import { inert } from '../change/inert.js'

/** The cases of one subject. */
export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

export interface JunitCase {
  readonly name: string
  readonly place?: { readonly file: string; readonly line: number } | null
  /** Why it counts as neither passed nor failed. */
  readonly skipped?: string | undefined
  readonly failure?: { readonly type: string; readonly message: string; readonly details?: readonly string[] }
}

/** JUnit XML of a run. */
export function junitText(name: string, suites: readonly JunitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite${attributes({ name: suite.name, ...totals(suite.cases) })}>`,
      ...suite.cases.flatMap((one) => caseLines(suite.name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(cases: readonly JunitCase[]) {
  const count = (outcome: 'failure' | 'skipped') => cases.filter((one) => one[outcome] !== undefined).length
  return { tests: cases.length, failures: count('failure'), skipped: count('skipped') }
}

function caseLines(classname: string, { name, place = null, skipped, failure }: JunitCase): string[] {
  const where = place === null ? {} : { file: place.file, line: place.line }
  const open = `    <testcase${attributes({ classname, name, ...where })}`
  if (skipped === undefined && failure === undefined) return [`${open}/>`]
  const outcome =
    failure === undefined ? `<skipped${attributes({ message: skipped ?? '' })}/>` : failureElement(failure)
  return [`${open}>`, `      ${outcome}`, '    </testcase>']
}

function failureElement({ type, message, details }: NonNullable<JunitCase['failure']>): string {
  const open = `<failure${attributes({ type, message })}`
  return details === undefined ? `${open}/>` : `${open}>${xml(details.join('\n'))}</failure>`
}

/** Attributes of an XML element, each after a space. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('\n', reference)}"`)
    .join('')
}

/**
 * Text for an XML 1.0 document, without forbidden characters (production 2) and characters that control a reader's
 * terminal.
 */
function xml(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => inert(line).replace(/[\ufffe\uffff]/g, '\ufffd'))
  return lines.join('\n').replace(/[&<>"']/g, reference)
}

function reference(sign: string): string {
  return `&#${sign.codePointAt(0)};`
}
