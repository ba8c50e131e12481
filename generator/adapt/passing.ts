import type { Protocol } from 'duet-runtime'
import type { Model, Operation } from '../model/model.js'
import { Passage } from './passage.js'
import { VersionReading } from './version-reading.js'

/** Whether the next version accepts every call of an operation, over one protocol, that the older version accepts. */
export type Passing = (before: Operation, after: Operation, protocol: Protocol) => boolean

/**
 * Compares how calls are bound, and asks containment about the params. Says nothing of credentials, of other operations
 * that take a path, and of defaults: changes of these are changes of a review.
 */
export function passingOf(older: Model, next: Model): Passing {
  const [from, to] = [new VersionReading(older, 'readOnly'), new VersionReading(next, 'readOnly')]
  const passage = new Passage('params', from, to)
  return (before, after, protocol) =>
    boundBy[protocol](before) !== undefined &&
    boundBy[protocol](before) === boundBy[protocol](after) &&
    passage.asIs(from.of(before.params), to.of(after.params)).verdict === 'contained'
}

/** What binds the calls of a protocol, as text. Undefined: it has none. */
const boundBy: { readonly [protocol in Protocol]: (operation: Operation) => string | undefined } = {
  rest: ({ rest: { method, path, query, parameters, body } }) =>
    JSON.stringify([method, path, query, parameters, body]),
  jsonrpc: ({ rpc }) => (rpc === false ? undefined : rpc),
  mcp: ({ tool }) => JSON.stringify(tool),
}
