import type { Json } from '../../document/document.js'
import { own } from '../../document/json.js'
import type { Level } from './level.js'
import { asObject, type Endpoint } from './side.js'

/** What an operation, a parameter or a schema declares about its end. */
export interface Lifecycle {
  readonly deprecated: boolean
  /** `2026-11-21`. */
  readonly sunset: string | 'invalid' | undefined
  readonly stability: string | undefined
}

/** How long before its sunset a deprecation must be announced. */
export interface Notice {
  /** The day of the review, `2026-11-21`: sunsets before it are past. */
  readonly today: string
  /** If above 0, a deprecation breaks unless it has a sunset at least this many days ahead. */
  readonly days: number
}

/** What happened between two versions. `sunset-moved`: to an earlier date that still gives the required notice. */
export type LifecycleEvent =
  | 'reactivated'
  | 'deprecated'
  | 'deprecated-with-sunset'
  | 'sunset-missing'
  | 'sunset-invalid'
  | 'sunset-too-soon'
  | 'sunset-deleted'
  | 'sunset-became-invalid'
  | 'sunset-moved-too-soon'
  | 'sunset-moved'
  | 'sunset-announced'
  | 'sunset-moved-later'

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

/** The earliest first. */
export const stages = ['draft', 'alpha', 'beta', 'stable']

/** How the stability level changed: a decrease takes a promise back. Undefined if it did not change, or is unknown. */
export function stabilityChange(old: Lifecycle, fresh: Lifecycle): 'decreased' | 'increased' | undefined {
  const [was, is] = [old, fresh].map(({ stability }) => stages.indexOf(stability ?? 'stable'))
  if (was === undefined || is === undefined || was === -1 || is === -1 || was === is) return undefined
  return is < was ? 'decreased' : 'increased'
}

/** Whether nothing has been promised to callers yet. */
export function isUnstable(value: Json): boolean {
  return ['draft', 'alpha'].includes(lifecycleOf(value).stability ?? '')
}

/** Whether nothing has been promised to an operation's callers, or to those who receive its callbacks. */
export function promisesNothing({ operation, isOfUnstable = false }: Endpoint): boolean {
  return isOfUnstable || isUnstable(operation.value)
}

/** The level of a change in an operation. A draft or alpha promises nothing, so nothing breaks. */
export function levelIfPromised(endpoint: Endpoint, level: Level): Level {
  return level !== 'info' && promisesNothing(endpoint) ? 'compatible' : level
}

/** Whether something may be removed: it is deprecated, without a sunset or with one that has passed, or unstable. */
export function mayEnd(value: Json, { today }: Pick<Notice, 'today'>): boolean {
  const { deprecated, sunset } = lifecycleOf(value)
  return isUnstable(value) || (deprecated && sunset !== 'invalid' && (sunset ?? '') <= today)
}

/** What happened to the deprecation and the sunset of one item. */
export function lifecycleEvent(
  old: Lifecycle,
  fresh: Lifecycle,
  { today, days }: Notice,
): LifecycleEvent | undefined {
  const first = laterBy(today, days)
  if (old.deprecated && !fresh.deprecated) return 'reactivated'
  if (!fresh.deprecated) return undefined
  const { sunset } = fresh
  if (!old.deprecated) {
    if (sunset === undefined) return days > 0 ? 'sunset-missing' : 'deprecated'
    if (sunset === 'invalid') return 'sunset-invalid'
    return sunset < first ? 'sunset-too-soon' : 'deprecated-with-sunset'
  }
  if (old.sunset === sunset) return undefined
  if (sunset === undefined) return 'sunset-deleted'
  if (sunset === 'invalid') return 'sunset-became-invalid'
  if (old.sunset === undefined || old.sunset === 'invalid')
    return sunset < first ? 'sunset-too-soon' : 'sunset-announced'
  if (sunset > old.sunset) return 'sunset-moved-later'
  return sunset < first ? 'sunset-moved-too-soon' : 'sunset-moved'
}

function dateOf(value: Json): string {
  const [, day] = typeof value === 'string' ? (/^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(value) ?? []) : []
  return day === undefined || Number.isNaN(Date.parse(day)) ? 'invalid' : day
}

function laterBy(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
