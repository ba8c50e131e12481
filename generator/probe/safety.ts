import type { Operation } from '../model/model.js'

/** Whether a call changes nothing: as the document says of its tool, else by its method (RFC 9110 section 9.2.1). */
export function safety({ rest: { method }, tool }: Operation): 'safe' | 'unsafe' {
  if (tool?.hints.destructive === true) return 'unsafe'
  return (tool?.hints.readOnly ?? safeMethods.has(method)) ? 'safe' : 'unsafe'
}

/** QUERY is safe by its definition. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])
