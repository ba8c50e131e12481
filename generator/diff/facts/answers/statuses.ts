import type { Cursor } from '../../../document/cursor.js'

/**
 * Whether a response is a success of its operation, as the model reads it. Without a 2xx status `default` is, and
 * without `default` a redirect.
 */
export function isSuccess(status: string, answers: ReadonlyMap<string, Cursor>): boolean {
  if (isFine(status)) return true
  const names = [...answers.keys()]
  if (names.some(isFine)) return false
  return status === 'default' || (status.startsWith('3') && !names.includes('default'))
}

/** Whether callers of the old version know every success of the new one, and there are any. */
export function areKnown(news: ReadonlyMap<string, Cursor>, olds: ReadonlyMap<string, Cursor>): boolean {
  const left = [...news.keys()].filter((status) => isSuccess(status, news))
  return left.length > 0 && left.every((status) => olds.has(status) && isSuccess(status, olds))
}

function isFine(status: string): boolean {
  return status.startsWith('2')
}

/**
 * The entry for a status without its own: its range, else `default` (OpenAPI 3.1.1 section 4.8.16). `default` means
 * failures if some success has an entry.
 */
export function coveringOf(status: string, answers: ReadonlyMap<string, Cursor>): Cursor | undefined {
  if (status === 'default') return undefined
  const range = `${status[0]}XX`
  const found =
    status.toUpperCase() === range ? undefined : (answers.get(range) ?? answers.get(range.toLowerCase()))
  const isStated = isFine(status) && [...answers.keys()].some(isFine)
  return found ?? (isStated ? undefined : answers.get('default'))
}
