/**
 * The headers that a reader must send. `Accept` asks for one of several media types, or for an unusual one. A service
 * answers in JSON without it.
 */
export function neededHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { accept, ...others } = headers
  return accept === undefined || usual.has(accept) ? others : headers
}

/** What the client asks for over REST and JSON-RPC where the document has no other type than JSON. */
const usual: ReadonlySet<string> = new Set(['application/json, application/problem+json', 'application/json'])
