import { own } from '../../../document/json.js'
import { whereTexts } from '../../change/protocol.js'
import { asObject } from '../../change/side.js'
import { isBad } from '../../decide/judgement.js'
import { type OperationPair, report } from '../parts/pair.js'
import { titleOf } from './parameters.js'
import { takenByField } from './query-names.js'
import { bodyInQuery, isReported } from './readings.js'

/**
 * Reports query names that were members of an object parameter and are fields of a GET's body now, which callers may
 * send in the query. This runs after all schema changes are known, to report a break only once.
 */
export function queryFieldFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs) {
    const properties = asObject(own(pair.after.modelled?.params ?? {}, 'properties'))
    for (const binding of bodyInQuery(pair.new, pair.after)) {
      const taken = takenByField(pair, binding, own(properties, binding.param) ?? true)
      if (taken === undefined || !isBad(taken.judged) || isReported(pair, taken.old, taken.judged.level))
        continue
      const { judged, holder, old: path } = taken
      const { name } = binding
      report(pair, {
        id: 'request-parameter-reading-changed',
        level: judged.level,
        message: `${name} of ${titleOf(holder)} is now the field ${name} of the request body`,
        ...{ old: holder.cursor, new: pair.after.operation, path, values: [name], protocols: whereTexts },
        evidence: { ...judged.evidence, at: path },
      })
    }
  }
}
