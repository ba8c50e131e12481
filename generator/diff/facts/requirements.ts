import { type Cursor, elements } from '../../document/cursor.js'
import { isArray, own } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Finding } from '../change/collector.js'
import { asObject } from '../change/side.js'
import { namesOf } from '../same/within.js'

/** One alternative of a security requirement: schemes that must all be satisfied. */
export interface Alternative {
  readonly schemes: readonly string[]
  /** Each prefixed with its scheme. */
  readonly scopes: readonly string[]
  readonly cursor: Cursor | undefined
}

/**
 * The alternatives of a security requirement. An absent requirement is one alternative without credentials. `calls`:
 * returns the old name of a renamed scheme.
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
 * Compares two lists of alternatives. A caller that satisfied an old alternative must satisfy a new one, which may
 * require less, not more. A change that excludes such a caller breaks. Every other change is compatible.
 */
export function requirementChanges(
  olds: readonly Alternative[],
  news: readonly Alternative[],
  subject: 'api-security' | 'api-global-security',
): Finding[] {
  const byKey = (list: readonly Alternative[]) => new Map(list.map((entry) => [keyOf(entry), entry]))
  const [before, after] = [byKey(olds), byKey(news)]
  const shutOut = (one: Alternative): boolean => !news.some((other) => admits(other, one))
  const worst = olds.some(shutOut) ? 'breaking' : 'compatible'
  const [removed, added] = [less(before, after), less(after, before)]
  const changes: Finding[] = []
  for (const old of removed) {
    const at = added.findIndex((one) => sameSchemes(one, old))
    const [fresh] = at < 0 || old.schemes.length === 0 ? [] : added.splice(at, 1)
    const level = shutOut(old) ? 'breaking' : 'compatible'
    if (fresh !== undefined) changes.push(...scopeChanges(old, fresh, subject, level))
    // If nothing was required before, the new requirement reports the change.
    else if (!isOpen(olds)) {
      const message = isNone(old)
        ? 'calls without credentials are no longer accepted'
        : `the security requirement ${named(old, olds)} was removed`
      changes.push({ old: old.cursor, id: `${subject}-removed`, message, level, values: told(old, olds) })
    }
  }
  for (const fresh of added) {
    if (isOpen(news)) continue
    const level = isOpen(olds) ? worst : 'compatible'
    const message = isNone(fresh)
      ? 'calls without credentials are accepted'
      : `the security requirement ${named(fresh, news)} was added`
    changes.push({ id: `${subject}-added`, message, new: fresh.cursor, level, values: told(fresh, news) })
  }
  return changes
}

/** Whether no credentials are required or accepted. */
function isOpen(alternatives: readonly Alternative[]): boolean {
  return alternatives.every(isNone)
}

/** Whether an alternative requires no credentials. */
function isNone({ schemes }: Alternative): boolean {
  return schemes.length === 0
}

function keyOf({ schemes, scopes }: Alternative): string {
  return fingerprint([schemes, [...scopes].sort()])
}

function less(
  all: ReadonlyMap<string, Alternative>,
  others: ReadonlyMap<string, Alternative>,
): Alternative[] {
  return [...all].flatMap(([key, one]) => (others.has(key) ? [] : [one]))
}

export function sameSchemes(one: Alternative, other: Alternative): boolean {
  return one.schemes.join() === other.schemes.join()
}

/** The fingerprint values of an alternative: its schemes, and its scopes if others have the same schemes. */
function told(one: Alternative, all: readonly Alternative[]): string[] {
  return [fingerprint(one.schemes), ...(isOfItsKind(one, all) ? [] : [...one.scopes].sort())]
}

function named(one: Alternative, all: readonly Alternative[]): string {
  return isOfItsKind(one, all) ? titleOf(one) : `${titleOf(one)} with the scopes ${one.scopes.join(', ')}`
}

/** Whether no other alternative has the same schemes. */
function isOfItsKind(one: Alternative, all: readonly Alternative[]): boolean {
  return all.filter((other) => sameSchemes(one, other)).length === 1
}

function scopeChanges(
  old: Alternative,
  fresh: Alternative,
  subject: 'api-security' | 'api-global-security',
  level: 'breaking' | 'compatible',
): Finding[] {
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
      return { ...ends, id: `${subject}-scope-added`, message, level, values: [scope] }
    }),
  ]
}

/** Whether every caller that satisfies `old` also satisfies `fresh`. */
export function admits(fresh: Alternative, old: Alternative): boolean {
  return (
    fresh.schemes.every((scheme) => old.schemes.includes(scheme)) &&
    fresh.scopes.every((scope) => old.scopes.includes(scope))
  )
}

export function titleOf({ schemes }: Alternative): string {
  return schemes.length === 0 ? 'none' : schemes.join(' and ')
}
