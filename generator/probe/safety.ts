import type { Operation } from '../model/model.js'

/** Whether a call changes nothing: by its method (RFC 9110 section 9.2.1), or because the document says so. */
export function safety({ rest: { method }, tool }: Operation): 'safe' | 'unsafe' {
  return safeMethods.has(method) || tool?.hints.readOnly === true ? 'safe' : 'unsafe'
}

/** QUERY is safe by its definition. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])
