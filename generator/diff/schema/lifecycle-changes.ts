import type { JsonObject } from '../../document/document.js'
import {
  isUnstable,
  type LifecycleEvent,
  lifecycleEvent,
  lifecycleOf,
  type Notice,
  stabilityChange,
} from '../change/lifecycle.js'
import type { SchemaAction } from '../change/table/schema-actions.js'
import type { KeywordChange } from './keywords.js'

/** Deprecation, sunset and stability of a property. */
export function lifecycleChanges(a: JsonObject, b: JsonObject, notice: Notice): KeywordChange[] {
  const [old, fresh] = [lifecycleOf(a), lifecycleOf(b)]
  const event = lifecycleEvent(old, fresh, notice)
  const moved = stabilityChange(old, fresh)
  // An unstable property promised nothing, so a decrease breaks no promise.
  const how = isUnstable(a) && moved === 'decreased' ? undefined : moved
  const base = { keywords: [], unseen: true as const }
  return [
    ...(event === undefined ? [] : [{ ...base, action: actions[event], old: old.sunset, new: fresh.sunset }]),
    ...(how === undefined
      ? []
      : [{ ...base, action: `stability-${how}` as const, old: old.stability, new: fresh.stability }]),
  ]
}

const actions: { readonly [event in LifecycleEvent]: SchemaAction } = {
  reactivated: 'reactivated',
  deprecated: 'deprecated',
  'deprecated-with-sunset': 'deprecated-with-sunset',
  'sunset-missing': 'deprecated-sunset-missing',
  'sunset-invalid': 'deprecated-sunset-invalid',
  'sunset-too-soon': 'sunset-date-too-small',
  'sunset-deleted': 'sunset-deleted',
  'sunset-became-invalid': 'deprecated-sunset-invalid',
  'sunset-moved-too-soon': 'sunset-date-too-small',
  'sunset-moved': 'sunset-moved-earlier',
  'sunset-announced': 'sunset-announced',
  'sunset-moved-later': 'sunset-moved-later',
}
