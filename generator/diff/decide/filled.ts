import type { Json } from '../../load/document.js'
import { own } from '../../load/json.js'
import type { Schema } from '../../model/model.js'
import { isAnnotation, schemaMap } from '../../model/schema.js'
import { asObject } from '../side.js'
import type { Judgement } from './judgement.js'

/**
 * Names of the params that validators fill in for who sends none: those with a default of their own that their schema takes. A
 * default behind a reference is not filled in. None where another keyword may refuse what is filled in, as `maxProperties` does.
 */
export function filledIn(judgement: Judgement, params: Schema): ReadonlySet<string> {
  const keywords = Object.keys(asObject(params)).filter((key) => !isAnnotation(key))
  if (typeof params !== 'object' || !keywords.every((key) => known.has(key))) return new Set()
  const isFilled = (schema: Json): boolean => {
    const usual = own(asObject(schema), 'default')
    return usual !== undefined && judgement.isContained('request', { const: usual }, schema)
  }
  return new Set(
    schemaMap(params, 'properties').flatMap(([name, schema]) => (isFilled(schema) ? [name] : [])),
  )
}

const known: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'components',
])
