import { canonical } from '../../contains/value.js'
import { isArray, own } from '../../load/json.js'
import { type Cursor, elements } from '../../model/cursor.js'
import type { Finding } from '../collector.js'
import { namesOf } from '../schema/within.js'
import { asObject } from '../side.js'

/** One way to be let in: schemes that all have to be satisfied. */
export interface Alternative {
  readonly schemes: readonly string[]
  /** Each after its scheme. */
  readonly scopes: readonly string[]
  readonly cursor: Cursor | undefined
}

/**
 * The alternatives of a security requirement; one that asks for nothing where there are none. `calls` gives schemes that
 * were only renamed the name that they had.
 */
export function alternativesOf(
  security: Cursor | undefined,
  calls: (scheme: string) => string = (scheme) => scheme,
): Alternative[] {
  const found = elements(security).map((cursor): Alternative => {
    const names = namesOf(cursor.value, undefined)
    const scopes = names.flatMap((name) => {
      const list = own(asObject(cursor.value), name)
      return isArray(list) ? list.map((scope) => `${calls(name)}:${String(scope)}`) : []
    })
    return { schemes: names.map(calls).sort(), scopes, cursor }
  })
  return found.length > 0 ? found : [{ schemes: [], scopes: [], cursor: security }]
}

/**
 * What changed between two lists of alternatives. Whoever was let in by one of the old ones has to be let in by one of the
 * new ones, which may ask for less, not for more: a change that shuts such a caller out breaks, every other is compatible.
 */
export function requirementChanges(
  olds: readonly Alternative[],
  news: readonly Alternative[],
  subject: 'api-security' | 'api-global-security',
): Finding[] {
  const byKey = (list: readonly Alternative[]) =>
    new Map(list.map((entry) => [canonical(entry.schemes), entry]))
  const [before, after] = [byKey(olds), byKey(news)]
  const shutOut = (one: Alternative): boolean => !news.some((other) => admits(other, one))
  const worst = olds.some(shutOut) ? 'breaking' : 'compatible'
  const changes: Finding[] = []
  for (const [key, old] of before) {
    const fresh = after.get(key)
    const ends = { old: old.cursor, new: fresh?.cursor }
    if (fresh === undefined) {
      // Nothing was asked for: what is asked for now says so.
      if (old.schemes.length === 0) continue
      const level = shutOut(old) ? 'breaking' : 'compatible'
      changes.push({
        ...ends,
        id: `${subject}-removed`,
        message: `the security ${titleOf(old)} was removed`,
        level,
        values: [key],
      })
      continue
    }
    changes.push(...scopeChanges(old, fresh, subject, shutOut(old)))
  }
  const wasOpen = before.get(canonical([]))
  for (const [key, fresh] of after) {
    if (before.has(key) || fresh.schemes.length === 0) continue
    const level = wasOpen !== undefined && shutOut(wasOpen) ? worst : 'compatible'
    const message = `the security ${titleOf(fresh)} was added`
    changes.push({ id: `${subject}-added`, message, new: fresh.cursor, level, values: [key] })
  }
  return changes
}

function scopeChanges(old: Alternative, fresh: Alternative, subject: string, shutsOut: boolean): Finding[] {
  const ends = { old: old.cursor, new: fresh.cursor }
  const removed = old.scopes.filter((scope) => !fresh.scopes.includes(scope))
  const added = fresh.scopes.filter((scope) => !old.scopes.includes(scope))
  return [
    ...removed.map((scope): Finding => {
      const message = `the scope ${scope} is no longer asked for`
      return { ...ends, id: `${subject}-scope-removed`, message, level: 'compatible', values: [scope] }
    }),
    ...added.map((scope): Finding => {
      const message = `the scope ${scope} is asked for`
      const level = shutsOut ? 'breaking' : 'compatible'
      return { ...ends, id: `${subject}-scope-added`, message, level, values: [scope] }
    }),
  ]
}

/** Whether whoever satisfies `old` satisfies `fresh`, too. */
function admits(fresh: Alternative, old: Alternative): boolean {
  return (
    fresh.schemes.every((scheme) => old.schemes.includes(scheme)) &&
    fresh.scopes.every((scope) => old.scopes.includes(scope))
  )
}

function titleOf({ schemes }: Alternative): string {
  return schemes.length === 0 ? 'none' : schemes.join(' and ')
}
