import { parseJson } from '../core/json.js'
import type { Violation } from '../core/problem.js'
import { report, reportInexact } from '../core/violations.js'

/** The value of JSON text, `path` being its place. What is no JSON is a violation. */
export function coerceJson(text: string, path: string, violations: Violation[]): unknown {
  try {
    const { value, inexact: pointers } = parseJson(text)
    reportInexact(violations, pointers, (pointer) => path + pointer)
    return value
  } catch {
    report(violations, { path, keyword: 'json', message: 'must be JSON' })
    return text
  }
}
