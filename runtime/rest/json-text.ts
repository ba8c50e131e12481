import { parseJson } from '../core/json.js'
import type { Violation } from '../core/problem.js'
import { inexact } from '../core/violations.js'

/** The value of JSON text, `path` being its place. What is no JSON is a violation. */
export function coerceJson(text: string, path: string, violations: Violation[]): unknown {
  try {
    const { value, inexact: pointers } = parseJson(text)
    for (const pointer of pointers) violations.push(inexact(path + pointer))
    return value
  } catch {
    violations.push({ path, keyword: 'json', message: 'must be JSON' })
    return text
  }
}
