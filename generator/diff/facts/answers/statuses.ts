import { type Cursor, objectOf } from '../../../document/cursor.js'
import { isFailingDefault } from '../../../model/results/default-response.js'
import { alwaysBare } from '../../../model/results/result.js'
import { asObject, entriesOf, type Side } from '../../change/side.js'

/** The responses of an operation by status, and whether `default` can only describe failures. */
export interface Responses extends ReadonlyMap<string, Cursor> {
  readonly hasFailingDefault: boolean
}

/** Responses that never have a body lose the content that the document declares. */
export function answersOf(side: Side, operation: Cursor): Responses {
  const answers = entriesOf(side, operation, 'responses')
  for (const [status, answer] of answers) {
    if (!alwaysBare.has(Number(status))) continue
    const others = Object.entries(asObject(answer.value)).filter(([key]) => key !== 'content')
    answers.set(status, { ...answer, value: objectOf(others) })
  }
  return Object.assign(answers, { hasFailingDefault: isFailingDefault(side.document, answers) })
}

/**
 * Whether a response is a success of its operation, as the model reads it. Without a 2xx status `default` is, unless
 * it can only be a failure, and without `default` a redirect.
 */
export function isSuccess(status: string, answers: Responses): boolean {
  if (isFine(status)) return true
  const names = [...answers.keys()]
  if (names.some(isFine)) return false
  const isDefault = names.includes('default') && !answers.hasFailingDefault
  return status === 'default' ? isDefault : status.startsWith('3') && !isDefault
}

/** Whether callers of the old version know every success of the new one, and there are any. */
export function areKnown(news: Responses, olds: Responses): boolean {
  const left = [...news.keys()].filter((status) => isSuccess(status, news))
  return left.length > 0 && left.every((status) => olds.has(status) && isSuccess(status, olds))
}

function isFine(status: string): boolean {
  return status.startsWith('2')
}

/**
 * The entry for a status without its own: its range, else `default` (OpenAPI 3.1.1 section 4.8.16). `default` means
 * failures if some success has an entry, or if it can only be a failure.
 */
export function coveringOf(status: string, answers: Responses): Cursor | undefined {
  if (status === 'default') return undefined
  const range = `${status[0]}XX`
  const found =
    status.toUpperCase() === range ? undefined : (answers.get(range) ?? answers.get(range.toLowerCase()))
  const isStated = isFine(status) && ([...answers.keys()].some(isFine) || answers.hasFailingDefault)
  return found ?? (isStated ? undefined : answers.get('default'))
}
