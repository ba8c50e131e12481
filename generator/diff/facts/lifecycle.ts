import type { Json } from '../../load/document.js'
import { own } from '../../load/json.js'
import type { Cursor } from '../../model/cursor.js'
import { asObject } from '../side.js'
import { titleOf } from './existence.js'
import { type OperationPair, report } from './pair.js'

export interface Lifecycle {
  readonly deprecated: boolean
  /** `2026-11-21`. */
  readonly sunset: string | 'invalid' | undefined
  readonly stability: string | undefined
}

/** What an operation, a parameter or a schema says of its own end. */
export function lifecycleOf(value: Json): Lifecycle {
  const object = asObject(value)
  const sunset = own(object, 'x-sunset')
  const stability = own(object, 'x-stability-level')
  return {
    deprecated: own(object, 'deprecated') === true,
    sunset: sunset === undefined ? undefined : dateOf(sunset),
    stability: typeof stability === 'string' ? stability : stability === undefined ? undefined : '',
  }
}

/** Whether changes are announced by the level itself. */
export function isUnstable(value: Json): boolean {
  return ['draft', 'alpha'].includes(lifecycleOf(value).stability ?? '')
}

function dateOf(value: Json): string {
  const [, day] = typeof value === 'string' ? (/^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(value) ?? []) : []
  return day === undefined || Number.isNaN(Date.parse(day)) ? 'invalid' : day
}

const stages = ['draft', 'alpha', 'beta', 'stable']

/** Deprecation, sunset and stability of an operation. */
export function lifecycleFacts(pair: OperationPair): void {
  const { before, after } = pair
  const ends = { old: before.operation, new: after.operation }
  const title = titleOf(after)
  const [old, fresh] = [lifecycleOf(before.operation.value), lifecycleOf(after.operation.value)]
  const invalid = [old, fresh].some(({ stability }) => stability !== undefined && !stages.includes(stability))
  if (invalid && fresh.stability !== old.stability)
    report(pair, {
      ...ends,
      id: 'api-invalid-stability-level',
      message: `${title}: the stability level is not one`,
    })
  else if (!invalid) stability(pair, ends, title, old, fresh)
  deprecation(pair, ends, title, 'endpoint', 'api', old, fresh)
}

type Ends = { readonly old: Cursor; readonly new: Cursor }

function stability(pair: OperationPair, ends: Ends, title: string, old: Lifecycle, fresh: Lifecycle): void {
  const rank = ({ stability }: Lifecycle): number => stages.indexOf(stability ?? 'stable')
  if (rank(old) === -1 || rank(old) === rank(fresh)) return
  const how = rank(fresh) < rank(old) ? 'decreased' : 'increased'
  const values = [old.stability, fresh.stability]
  const [was, is] = [old.stability ?? 'stable', fresh.stability ?? 'stable']
  report(pair, {
    ...ends,
    id: `api-stability-${how}`,
    message: `${title}: stability ${was} to ${is}`,
    values,
  })
}

/** Deprecation of an operation or a parameter; `subject` and `sunsetSubject` are how ids begin. */
export function deprecation(
  pair: OperationPair,
  ends: Ends,
  title: string,
  subject: string,
  sunsetSubject: string,
  old: Lifecycle,
  fresh: Lifecycle,
  path = '',
): void {
  const say = (id: string, words: string): void =>
    report(pair, { ...ends, id, message: `${title} ${words}`, path, values: [old.sunset, fresh.sunset] })
  const isParameter = subject !== 'endpoint'
  if (old.deprecated && !fresh.deprecated) {
    say(`${subject}-reactivated`, 'is no longer deprecated')
    return
  }
  if (!old.deprecated && fresh.deprecated) {
    if (fresh.sunset === 'invalid') {
      say(
        isParameter ? 'request-parameter-sunset-parse' : 'api-deprecated-sunset-parse',
        'is deprecated; its sunset is not a date',
      )
      return
    }
    if (fresh.sunset !== undefined && fresh.sunset < pair.tools.today) {
      say(`${sunsetSubject}-sunset-date-too-small`, `is deprecated; its sunset ${fresh.sunset} is past`)
      return
    }
    const dated = fresh.sunset !== undefined && !isParameter
    say(`${subject}-deprecated${dated ? '-with-sunset' : ''}`, 'is deprecated')
    return
  }
  if (!fresh.deprecated || old.sunset === fresh.sunset) return
  if (fresh.sunset === undefined) {
    say(isParameter ? 'request-parameter-sunset-deleted' : 'sunset-deleted', 'has no sunset any more')
    return
  }
  if (fresh.sunset === 'invalid') {
    say(
      isParameter ? 'request-parameter-sunset-parse' : 'api-deprecated-sunset-parse',
      'has a sunset that is not a date',
    )
    return
  }
  if (old.sunset !== undefined && old.sunset !== 'invalid' && fresh.sunset < old.sunset)
    say(
      `${sunsetSubject}-sunset-date-changed-too-small`,
      `ends earlier: ${fresh.sunset} instead of ${old.sunset}`,
    )
}
