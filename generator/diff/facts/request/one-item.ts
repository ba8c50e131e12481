import type { Json } from '../../../document/document.js'
import type { Judgement } from '../../decide/judgement.js'
import type { OperationPair } from '../parts/pair.js'
import type { Division } from './divisions.js'
import type { Form } from './form.js'
import { isOfLists, type Parameter, schemaOf, spellingOf } from './parameter.js'

/**
 * A parameter whose old values are lists of at most one item and whose delimiter changes: callers write the same.
 * Undefined if they do not, or if the encoding stays. Its text is divided elsewhere only if the item has the delimiter.
 */
export function ofOneItem(pair: OperationPair, old: Parameter, fresh: Parameter): Division | undefined {
  const kinds = [spellingOf(pair.old, old), spellingOf(pair.new, fresh)] as const
  const schema = schemaOf(pair.old, old)?.value
  const isAlike =
    schema !== undefined &&
    kinds[0] !== kinds[1] &&
    old.in === fresh.in &&
    isOfLists(...kinds) &&
    hasOneItem(pair.tools.reach.graph.judgement, schema)
  return isAlike ? dividedAt(kinds, old.name, old.in) : undefined
}

/** The same for a form's field. */
export function fieldOfOneItem(
  { tools }: OperationPair,
  was: Form,
  is: Form,
  name: string,
): Division | undefined {
  const kinds = [was.carrierOf(name), is.carrierOf(name)] as const
  if (kinds[0] === kinds[1] || !kinds.every((kind) => /^(repeated|joined .*)$/.test(kind))) return undefined
  const { judgement } = tools.reach.graph
  const schema = was.memberOf(judgement, name)
  return schema !== undefined && hasOneItem(judgement, schema) ? dividedAt(kinds, name) : undefined
}

function hasOneItem(judgement: Judgement, schema: Json): boolean {
  const more = { anyOf: [{ type: 'array', minItems: 2 }, { type: 'object' }] }
  return judgement.isContained('request', { allOf: [schema, more] }, false)
}

function dividedAt(kinds: readonly [string, string], name: string, place = 'query'): Division {
  return { at: '', kinds, texts: place === 'query' ? [`${encodeURIComponent(name)}=`] : [] }
}
