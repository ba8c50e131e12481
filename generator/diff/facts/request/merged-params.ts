import { whereTexts } from '../../change/protocol.js'
import { type OperationPair, report } from '../parts/pair.js'
import { type Parameter, parametersOf } from './parameter.js'

/**
 * Reports a parameter that shared its param with a required one of the same name: a Duet service took either for both.
 * Only calls without the required parameter notice, which the document does not allow.
 */
export function unmergedFact(pair: OperationPair, old: Parameter, fresh: Parameter, path: string): void {
  const other = sharing(parametersOf(pair.old, pair.before), old)
  if (other?.required !== true || sharing(parametersOf(pair.new, pair.after), fresh) !== undefined) return
  report(pair, {
    id: 'request-parameter-reading-changed',
    level: 'dangerous',
    message: `the ${old.in} parameter ${old.name} is no longer read as the ${other.in} parameter ${other.name}`,
    ...{ old: old.cursor, new: fresh.cursor, path },
    values: [old.in, other.in],
    protocols: whereTexts,
    evidence: { reason: 'a Duet service took either for both' },
  })
}

/** Another parameter of the same param. */
function sharing(all: ReadonlyMap<string, Parameter>, one: Parameter): Parameter | undefined {
  return [...all.values()].find((other) => other.in !== one.in && other.param === one.param)
}
