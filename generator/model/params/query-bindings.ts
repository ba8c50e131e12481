import type { Coercion, ParameterBinding } from 'duet-runtime'
import { coercionOf } from '../../schema/coercion.js'
import type { Schema } from '../../schema/schema.js'
import type { Parameter } from './parameters.js'
import type { Params } from './params.js'

/**
 * The query parameters for the members of a GET's body, if it is JSON or a form. A GET accepts its params from both;
 * clients send the query, because many cannot send a body. Only JSON has a representation there for a whole body and
 * for objects.
 */
export function queryBindings(
  schemas: ReadonlyMap<string, Schema>,
  parameters: readonly Parameter[],
  { body, bodyFields }: Params,
): ParameterBinding[] {
  const kinds = body?.media?.map(({ kind }) => kind) ?? ['json']
  const isJson = kinds.includes('json')
  const isForm = body?.kind === 'fields' && kinds.some((kind) => kind === 'form' || kind === 'multipart')
  if (!isJson && !isForm) return []
  const bound = new Set(parameters.map(({ binding }) => binding.param))
  const names = new Map(Object.entries(body?.rename ?? {}).map(([name, param]) => [param, name]))
  return bodyFields
    .filter(({ param }) => !bound.has(param))
    .flatMap(({ param, schema, required }) => {
      const coerce = coercionOf(schemas, schema)
      if (coerce.binary === true) return []
      const name = names.get(param) ?? param
      const binding = { name, param, in: 'query', required, style: 'form', explode: true, coerce } as const
      if (isFlat(coerce)) return [binding]
      return isJson ? [{ ...binding, json: true }] : []
    })
}

/** Whether a form can represent a value: a scalar or a list of scalars. Anything else is sent as JSON. */
function isFlat({ types, items }: Coercion): boolean {
  if (types.includes('object')) return false
  return !types.includes('array') || items === undefined || !items.types.some((type) => nested.has(type))
}

const nested: ReadonlySet<string> = new Set(['array', 'object'])
