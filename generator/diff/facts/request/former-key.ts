import type { Json } from '../../../document/document.js'
import { isBad, type Judged, judge } from '../../decide/judgement.js'
import { judgeTexts } from '../../texts/texts.js'
import type { OperationPair } from '../parts/pair.js'
import { type Parameter, schemaOf } from './parameter.js'

/**
 * What REST callers notice if a new parameter reads the API key that calls carried at its place. A key can be any text.
 * Undefined: none did, or the parameter accepts any text.
 */
export function judgeFormerKey(pair: OperationPair, fresh: Parameter): Judged | undefined {
  if (!carriedKey(pair, fresh)) return undefined
  const schema = schemaOf(pair.new, fresh)?.value
  if (schema === undefined) return undefined
  const { judgement } = pair.tools.reach.graph
  const traits = { direction: 'request', holder: 'parameter', isLoose: true } as const
  const judged =
    judgeTexts(judgement, traits, true, [pair.old, key], [pair.new, schema]) ??
    judge(judgement.passes('request', key, schema))
  return isBad(judged) ? judged : undefined
}

const key: Json = { type: 'string', minLength: 1 }

function carriedKey({ old, before }: OperationPair, { in: place, name }: Parameter): boolean {
  const nameOf = (text: string): string => (place === 'header' ? text.toLowerCase() : text)
  return (before.modelled?.security ?? []).flatMap(Object.keys).some((id) => {
    const scheme = old.model?.securitySchemes.get(id)
    return scheme?.type === 'apiKey' && scheme.in === place && nameOf(scheme.name) === nameOf(name)
  })
}
