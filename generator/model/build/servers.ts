import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, elements, member, rootCursor, text } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'

/**
 * Path of the document's first server, with default variables and without a slash at its end. Empty without
 * servers. Servers of single paths and operations are other hosts; one with another path causes a warning.
 */
export function readBasePath(
  document: Document,
  holders: readonly Cursor[],
  diagnostics: Diagnostic[],
): string {
  const base = pathOf(rootCursor(document)) ?? ''
  const warned = new Set<string>()
  for (const holder of holders) {
    const own = pathOf(holder)
    if (own === undefined || own === base || warned.has(holder.pointer)) continue
    warned.add(holder.pointer)
    const message = `The server of this path is at ${own === '' ? '/' : own}, but the path is served below ${base === '' ? '/' : base}`
    diagnostics.push(diagnose('server-path-ignored', message, document.locate(`${holder.pointer}/servers`)))
  }
  return base
}

/** A server's URL with default variables. A variable without a default becomes empty (OpenAPI 3.1.1, Server Object). */
export function filledUrl(url: string, variables: Json | undefined): string {
  return url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isObject(variables) ? own(variables, name) : undefined
    return text(variable, 'default') ?? ''
  })
}

function pathOf(holder: Cursor): string | undefined {
  const [server] = elements(member(holder, 'servers'))
  const url = text(server?.value, 'url')
  if (server === undefined || url === undefined) return undefined
  const filled = filledUrl(url, member(server, 'variables')?.value)
  // A URL without a host is relative to the host that serves the document.
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(filled)
    ? filled
    : `http://host/${filled.replace(/^\/+/, '')}`
  if (!URL.canParse(absolute)) return ''
  return new URL(absolute).pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
}
