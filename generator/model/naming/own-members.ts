import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { compareText } from '../../document/cursor.js'
import { ownMembers } from './client-members.js'
import type { NameSource } from './source.js'

/** Reports each such name once, with its first operation. */
export function reportOwnMembers(names: ReadonlyMap<NameSource, string>, diagnostics: Diagnostic[]): void {
  for (const member of ownMembers) {
    const renamed = [...names].filter(([, name]) => name === member || name.startsWith(`${member}.`))
    const [[source, name] = []] = renamed.sort(([, a], [, b]) => compareText(a, b))
    if (source === undefined || name === undefined) continue
    const others = renamed.length - 1
    const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'operation' : 'operations'}`
    const message = `The client has ${name}${more} at client.${member}_, since client.${member} is a method of every client`
    diagnostics.push(diagnose('client-member-renamed', message, source.at()))
  }
}
