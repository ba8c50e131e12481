import type { Cursor } from '../../../document/cursor.js'
import type { ChangeId } from '../../change/catalogue.js'
import {
  type Lifecycle,
  type LifecycleEvent,
  lifecycleEvent,
  lifecycleOf,
  stabilityChange,
  stages,
} from '../../change/lifecycle.js'
import { type OperationPair, report, titleOf } from './pair.js'

/** Compares deprecation, sunset and stability of an operation. */
export function lifecycleFacts(pair: OperationPair, path = ''): void {
  const { before, after } = pair
  const ends = { old: before.operation, new: after.operation }
  const title = titleOf(after)
  const [old, fresh] = [lifecycleOf(before.operation.value), lifecycleOf(after.operation.value)]
  const invalid = [old, fresh].some(({ stability }) => stability !== undefined && !stages.includes(stability))
  if (invalid && fresh.stability !== old.stability)
    report(pair, {
      ...ends,
      id: 'api-invalid-stability-level',
      path,
      message: `${title}: the stability level is not one`,
    })
  stability(pair, ends, title, old, fresh, path)
  deprecation(pair, ends, title, 'endpoint', old, fresh, path)
}

type Ends = { readonly old: Cursor; readonly new: Cursor }

function stability(
  pair: OperationPair,
  ends: Ends,
  title: string,
  old: Lifecycle,
  fresh: Lifecycle,
  path: string,
): void {
  const how = stabilityChange(old, fresh)
  if (how === undefined) return
  const values = [old.stability, fresh.stability]
  const [was, is] = [old.stability ?? 'stable', fresh.stability ?? 'stable']
  report(pair, {
    ...ends,
    id: `api-stability-${how}`,
    message: `${title}: stability ${was} to ${is}`,
    values,
    path,
  })
}

/** Reports the deprecation of an operation or a parameter. */
export function deprecation(
  pair: OperationPair,
  ends: Ends,
  title: string,
  subject: 'endpoint' | 'request-parameter',
  old: Lifecycle,
  fresh: Lifecycle,
  path = '',
): void {
  const event = lifecycleEvent(old, fresh, pair.tools.notice)
  if (event === undefined) return
  const message = `${title} ${wording[event]}${dates(old, fresh)}`
  report(pair, { ...ends, id: ids[subject][event], message, path, values: [old.sunset, fresh.sunset] })
}

function dates({ sunset: was }: Lifecycle, { sunset: is }: Lifecycle): string {
  const shown = [was, is].filter((day) => day !== undefined && day !== 'invalid')
  return shown.length === 0 ? '' : ` (${shown.join(' to ')})`
}

const wording: { readonly [event in LifecycleEvent]: string } = {
  reactivated: 'is no longer deprecated',
  deprecated: 'is deprecated',
  'deprecated-with-sunset': 'is deprecated and has a sunset',
  'sunset-missing': 'is deprecated without the sunset that has to be announced',
  'sunset-invalid': 'is deprecated; its sunset is not a date',
  'sunset-too-soon': 'is deprecated with a sunset that leaves callers too little time',
  'sunset-deleted': 'has no sunset any more',
  'sunset-became-invalid': 'has a sunset that is not a date',
  'sunset-moved-too-soon': 'ends earlier, and leaves callers too little time',
  'sunset-moved': 'ends earlier than announced',
  'sunset-announced': 'has a sunset',
  'sunset-moved-later': 'ends later than announced',
}

const ids: {
  readonly [subject in 'endpoint' | 'request-parameter']: { readonly [event in LifecycleEvent]: ChangeId }
} = {
  endpoint: {
    reactivated: 'endpoint-reactivated',
    deprecated: 'endpoint-deprecated',
    'deprecated-with-sunset': 'endpoint-deprecated-with-sunset',
    'sunset-missing': 'api-deprecated-sunset-missing',
    'sunset-invalid': 'api-deprecated-sunset-parse',
    'sunset-too-soon': 'api-sunset-date-too-small',
    'sunset-deleted': 'sunset-deleted',
    'sunset-became-invalid': 'api-deprecated-sunset-parse',
    'sunset-moved-too-soon': 'api-sunset-date-changed-too-small',
    'sunset-moved': 'api-sunset-moved-earlier',
    'sunset-announced': 'api-sunset-announced',
    'sunset-moved-later': 'api-sunset-moved-later',
  },
  'request-parameter': {
    reactivated: 'request-parameter-reactivated',
    deprecated: 'request-parameter-deprecated',
    'deprecated-with-sunset': 'request-parameter-deprecated',
    'sunset-missing': 'request-parameter-deprecated-sunset-missing',
    'sunset-invalid': 'request-parameter-sunset-parse',
    'sunset-too-soon': 'request-parameter-sunset-date-too-small',
    'sunset-deleted': 'request-parameter-sunset-deleted',
    'sunset-became-invalid': 'request-parameter-sunset-parse',
    'sunset-moved-too-soon': 'request-parameter-sunset-date-changed-too-small',
    'sunset-moved': 'request-parameter-sunset-moved-earlier',
    'sunset-announced': 'request-parameter-sunset-announced',
    'sunset-moved-later': 'request-parameter-sunset-moved-later',
  },
}
