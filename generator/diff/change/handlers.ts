import { namespaceFile, namespaceOf } from '../../code/layout.js'
import { groupBy } from '../../document/grouping.js'
import { entryOf } from './catalogue.js'
import type { Change } from './change.js'

/** Whether the handlers of the operations that a change reaches may need an edit. */
export function reachesHandler({ id, level }: Pick<Change, 'id' | 'level'>): boolean {
  const { handlers } = entryOf(id)
  return level !== 'info' && (handlers === 'always' || (handlers === 'loosened' && level !== 'breaking'))
}

/** `affected handlers: clients.search, clients.update (clients.ts)`. Undefined if there are none. */
export function handlersLine(changes: readonly Pick<Change, 'handlers'>[]): string | undefined {
  const names = [...new Set(changes.flatMap(({ handlers }) => handlers))].sort()
  if (names.length === 0) return undefined
  const files = groupBy(names.slice(0, shown), (name) => namespaceFile(namespaceOf(name), []))
  const rest = names.length > shown ? `, and ${names.length - shown} more` : ''
  const listed = [...files].map(([file, own]) => `${own.join(', ')} (${file})`)
  return `affected handlers: ${listed.join(', ')}${rest}`
}

const shown = 8
