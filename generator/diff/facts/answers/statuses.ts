import type { Cursor } from '../../../document/cursor.js'

/**
 * Whether an answer is what its operation succeeds with, as the model reads it: without 2xx that is `default`, and without
 * `default` a redirection.
 */
export function isSuccess(status: string, answers: ReadonlyMap<string, Cursor>): boolean {
  if (isFine(status)) return true
  const names = [...answers.keys()]
  if (names.some(isFine)) return false
  return status === 'default' || (status.startsWith('3') && !names.includes('default'))
}

function isFine(status: string): boolean {
  return status.startsWith('2')
}

/**
 * What describes a status that has no entry of its own: its range, else what is said of all others (OpenAPI 3.1.1 section
 * 4.8.16), which are failures where some success has an entry.
 */
export function coveringOf(status: string, answers: ReadonlyMap<string, Cursor>): Cursor | undefined {
  if (status === 'default') return undefined
  const range = `${status[0]}XX`
  const found =
    status.toUpperCase() === range ? undefined : (answers.get(range) ?? answers.get(range.toLowerCase()))
  const isStated = isFine(status) && [...answers.keys()].some(isFine)
  return found ?? (isStated ? undefined : answers.get('default'))
}
