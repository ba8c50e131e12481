import type { Protocol } from 'duet-runtime'
import { digestOf } from '../cache/store.js'
import type { DocumentPosition, Waiver } from '../diff/change/change.js'
import type { JsonObject } from '../document/document.js'

/** What a finding is about, with the sentence that reports have for it. */
export const findingKinds = {
  'undeclared-status': 'The server answers with a status that the document does not declare',
  'undeclared-code': 'The server answers with an error code that the document does not declare',
  'wrong-content-type': 'The server answers with a media type that the document does not declare',
  'body-invalid': 'The schema of the response refuses its body',
  'header-missing': 'A response has no value for a header that the document requires',
  'header-invalid': 'The schema of a response header refuses its value',
  'tool-missing': 'The server does not list a tool that the document has',
  'tool-undeclared': 'The server lists a tool that the document does not have',
  'tool-differs': 'The server lists a tool whose input schema differs from the document',
  'envelope-invalid': 'A response over JSON-RPC or MCP is no such response',
  'invalid-call-accepted': 'The server accepts a call that the document forbids',
  'valid-call-refused': 'The server refuses a call that the document allows',
  'earlier-call-refused': 'The server refuses a call of an earlier version',
  'unauthenticated-call-accepted':
    'The server accepts a call without the credential that the document requires',
  'protocols-differ': 'Two protocols answer the same call differently',
  'server-error': 'The server fails',
  'no-response': 'The server does not answer in time',
  'slow-response': 'The server answers more slowly than the stated bound',
} as const

export type FindingKind = keyof typeof findingKinds

/** What the server did that its document does not say. */
export interface Finding {
  readonly kind: FindingKind
  readonly operation: string
  readonly protocol: Protocol
  readonly message: string
  /** Where the document says otherwise. */
  readonly at: DocumentPosition
  /** The request, with `$NAME` in place of each credential. */
  readonly request: JsonObject
  /** A command that repeats it. */
  readonly curl: string
  /** The status. Null if there was no response. */
  readonly status: number | null
  /** The start of the response's body. */
  readonly excerpt: string
  /** Equal for the same fault in another run, on another server and in another version. */
  readonly fingerprint: string
  readonly waiver: Waiver | null
}

/** What findings are about: an operation, or something that is none. */
export interface Subject {
  readonly name: string
  readonly rest: { readonly method: string; readonly path: string }
}

/** @param detail what distinguishes two faults of one kind in an operation: a status, the path of a param */
export function fingerprintOf(
  kind: FindingKind,
  { rest: { method, path } }: Subject,
  protocol: Protocol,
  detail: string,
): string {
  return digestOf(kind, method, path, protocol, detail).slice(0, 16)
}
