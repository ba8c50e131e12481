import { namespaceFile, namespaceOf } from '../../code/layout.js'
import type { Change } from './change.js'

/**
 * Whether a change reaches what a handler is given, what it gives, or that it exists. What duet itself binds, refuses or
 * writes needs no edit: paths and methods, styles, documentation, notices of an end. Nor does a bound that breaks callers:
 * fewer values come in, or more may go out, and what the handler does is right as it was.
 */
export function reachesHandler({ id, level }: Pick<Change, 'id' | 'level'>): boolean {
  if (level === 'info' || outside.test(id)) return false
  return level !== 'breaking' || !bound.test(id)
}

const outside =
  /^endpoint-(path|method)-changed$|-deprecated(-|$)|-(reactivated|style-changed|location-changed)$|(-|^)(sunset|stability)-|^api-(global-security|security-(scope|component)|tag|operation-id|schema|version|major-version)-/

/** Bounds that have an order: what a validator holds, and no type shows. */
const bound = /-(min|max)(-length|-items|-properties|-contains)?-(set|unset|increased|decreased)$/

/** `handlers to look at: clients.search, clients.update (clients.ts)`; undefined where there is none. */
export function handlersLine(changes: readonly Pick<Change, 'handlers'>[]): string | undefined {
  const names = [...new Set(changes.flatMap(({ handlers }) => handlers))].sort()
  if (names.length === 0) return undefined
  const files = new Map<string, string[]>()
  for (const name of names.slice(0, shown)) {
    const file = namespaceFile(namespaceOf(name), [])
    files.set(file, [...(files.get(file) ?? []), name])
  }
  const rest = names.length > shown ? `, and ${names.length - shown} more` : ''
  const listed = [...files].map(([file, own]) => `${own.join(', ')} (${file})`)
  return `handlers to look at: ${listed.join(', ')}${rest}`
}

const shown = 20
