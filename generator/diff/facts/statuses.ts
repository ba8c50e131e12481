import type { Cursor } from '../../model/cursor.js'

export function isSuccess(status: string): boolean {
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
  const isStated = isSuccess(status) && [...answers.keys()].some(isSuccess)
  return found ?? (isStated ? undefined : answers.get('default'))
}
