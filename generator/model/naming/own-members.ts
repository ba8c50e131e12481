import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { compareText } from '../../document/cursor.js'
import type { NameSource } from './source.js'

/** Members that every client has. An operation or namespace with such a name gets an underscore. */
export const ownMembers: ReadonlySet<string> = new Set(['batch', 'call', 'notify'])

/** Reports each such name once, with its first operation. */
export function reportOwnMembers(names: ReadonlyMap<NameSource, string>, diagnostics: Diagnostic[]): void {
  const ordered = [...names].sort(([, a], [, b]) => compareText(a, b))
  for (const member of ownMembers) {
    const renamed = ordered.filter(([, name]) => name.split('.', 1)[0] === member)
    const [[source, name] = []] = renamed
    if (source === undefined || name === undefined) continue
    const others = renamed.length - 1
    const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'operation' : 'operations'}`
    diagnostics.push({
      code: 'client-member-renamed',
      severity: 'warning',
      message: `The client has ${name}${more} at client.${member}_, since client.${member} is a method of every client`,
      remedy: 'Call it by that name, or set another one with x-rpc-method.',
      at: source.at(),
    })
  }
}
