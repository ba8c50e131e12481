import { childPointer, lookup } from '../../document/cursor.js'
import type { Operation } from '../../model/model.js'
import type { BrokenRequest } from '../cases/broken-requests.js'
import type { Case } from '../cases/case.js'
import { pathText } from '../schema-site.js'
import type { TargetResponse } from '../target.js'
import type { Declarations } from './declarations.js'
import { type Fault, faultsAt, serverFails } from './fault.js'
import { answerText, type Outcome } from './outcome.js'

/** What the answer to a request contradicts that the document forbids, whatever its params are. */
export function brokenFaults(
  declarations: Declarations,
  operation: Operation,
  { what, detail, about }: BrokenRequest,
  { status }: TargetResponse,
): Fault[] {
  const { pointer } = operation.source
  const place =
    about === 'body' ? childPointer(pointer, 'requestBody') : pointer.slice(0, pointer.lastIndexOf('/'))
  const faults = faultsAt(declarations.position(place))
  if (status >= 200 && status < 300)
    return faults('invalid-call-accepted', detail, `The server accepts a call ${what}: it answers ${status}`)
  // RFC 9110 section 15.6.2: a method that a server does not know. RFC 9110 section 15.6.4: it is busy.
  if (status < 500 || status === 501 || status === 503) return []
  return faults('server-error', detail, serverFails(status, what))
}

/** What the outcome of a call contradicts in the document: accepted though forbidden, or refused though allowed. */
export function callFaults(
  declarations: Declarations,
  operation: Operation,
  { kind, what, way = [], keyword = '', isEdge }: Case,
  outcome: Outcome,
): Fault[] {
  const { verdict } = outcome
  const [param = ''] = way
  const whole = declarations.position(operation.source.pointer)
  const faults = faultsAt(way.length === 0 ? whole : declarations.positionOfParam(operation, param))
  const detail = `${pathText(way)} ${keyword}`
  const said = answerText(outcome)
  const accepted = `The server accepts a call ${what}: it answers ${said}`
  if (kind === 'invalid' && verdict === 'accepted') return faults('invalid-call-accepted', detail, accepted)
  if (kind === 'anonymous' && verdict === 'accepted') {
    const security = declarations.position(securityOf(declarations, operation))
    return faultsAt(security)('unauthenticated-call-accepted', keyword, accepted)
  }
  if (kind !== 'valid') return []
  if (outcome.code === 'unknown_operation' && outcome.protocol !== 'rest') {
    const message = `The server has no such ${outcome.protocol === 'mcp' ? 'tool over MCP' : 'method over JSON-RPC'}`
    return faultsAt(whole)('valid-call-refused', 'method', message)
  }
  // A code of the document's own is a rule that no schema has.
  const isOfSchema = outcome.code === undefined || outcome.code === 'validation_failed'
  if (verdict !== 'refused' || isEdge !== true || !isOfSchema) return []
  const message = `The server refuses a call ${what} with ${said}. It accepts the same call otherwise`
  return faults('valid-call-refused', detail, message)
}

/** Where the document says which credentials an operation needs: at the operation, else for the whole document. */
function securityOf({ document }: Declarations, { source }: Operation): string {
  const own = lookup(document, childPointer(source.pointer, 'security'))
  return own?.pointer ?? '#/security'
}
