import type { ParameterBinding, Protocol } from 'duet-runtime'
import type { Model, Operation } from '../model/model.js'
import { Passage } from './passage.js'
import { VersionReading } from './version-reading.js'
import type { View } from './view.js'

/**
 * Whether the next version accepts every call of an operation, over one protocol, that the older version accepts. Undefined:
 * it may refuse some. Else those that send none of these headers pass, whose names are in lower case.
 */
export type Passing = (
  before: Operation,
  after: Operation,
  protocol: Protocol,
) => readonly string[] | undefined

/**
 * Compares how calls are bound, and asks containment about the params. Says nothing of credentials, of other operations
 * that take a path, and of defaults: changes of these are changes of a review.
 */
export function passingOf(older: Model, next: Model): Passing {
  const [from, to] = [new VersionReading(older, 'readOnly'), new VersionReading(next, 'readOnly')]
  const passage = new Passage('params', from, to)
  return (before, after, protocol) => {
    const sent = from.of(before.params)
    const known = protocol === 'rest' ? withoutUnsent(before, after, passage.viewOfSent(sent)) : after
    const binding = boundBy[protocol](before)
    if (binding === undefined || binding !== boundBy[protocol](known)) return undefined
    if (passage.asIs(sent, to.of(after.params)).verdict !== 'contained') return undefined
    const kept = new Set(known.rest.parameters)
    const added = after.rest.parameters.filter((one) => one.in === 'header' && !kept.has(one))
    return protocol === 'rest' ? added.map(({ name }) => name.toLowerCase()) : []
  }
}

/** Without new query parameters of one value whose names no call has that the older version accepts, and new headers. */
function withoutUnsent({ rest: { parameters: known } }: Operation, after: Operation, sent: View | undefined) {
  if (sent?.others !== false) return after
  const isUnsent = ({ name, param, in: place, required, coerce }: ParameterBinding): boolean =>
    !required &&
    !sent.properties.has(param) &&
    !known.some((one) => one.name.toLowerCase() === name.toLowerCase()) &&
    (place === 'header' ||
      (place === 'query' &&
        name === param &&
        coerce?.types?.every((type) => type !== 'array' && type !== 'object') === true))
  const parameters = after.rest.parameters.filter((parameter) => !isUnsent(parameter))
  return { ...after, rest: { ...after.rest, parameters } }
}

/** What binds the calls of a protocol, as text. Undefined: it has none. */
const boundBy: { readonly [protocol in Protocol]: (operation: Operation) => string | undefined } = {
  rest: ({ rest: { method, path, query, parameters, body } }) =>
    JSON.stringify([method, path, query, parameters, body]),
  jsonrpc: ({ rpc }) => (rpc === false ? undefined : rpc),
  mcp: ({ tool }) => JSON.stringify(tool),
}
