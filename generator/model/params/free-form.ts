import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { isObject, own } from '../../document/json.js'
import { schemasInPlace } from '../../schema/coercion.js'
import { type Schema, schemaMap } from '../../schema/schema.js'
import type { Parameter } from './parameters.js'

/**
 * Marks the query parameter that takes members of any name: `style: form` and `explode: true` send each as
 * its own pair (OpenAPI 3.1, Parameter Object, the example of free-form query parameters). If there are two
 * such parameters, a name could belong to either, so the first one takes all.
 */
export function withFreeForm(
  schemas: ReadonlyMap<string, Schema>,
  operation: string,
  parameters: readonly Parameter[],
  diagnostics: Diagnostic[],
): readonly Parameter[] {
  const [first, ...others] = parameters.filter(({ field, binding }) => {
    const { types } = binding.coerce
    const isSpread = binding.in === 'query' && binding.style === 'form' && binding.explode && !binding.json
    return isSpread && types.includes('object') && !types.includes('array') && isOpen(schemas, field.schema)
  })
  if (first === undefined) return parameters
  for (const other of others) diagnostics.push(second(operation, first, other))
  return parameters.map((parameter) =>
    parameter === first ? { ...parameter, binding: { ...parameter.binding, open: true } } : parameter,
  )
}

/** Whether a schema allows additional members, or names none at all. */
export function isOpen(schemas: ReadonlyMap<string, Schema>, schema: Schema): boolean {
  const parts = schemasInPlace(schemas, schema)
  const additional = parts.map((part) => own(part, 'additionalProperties'))
  const hasPatterns = parts.some((part) => schemaMap(part, 'patternProperties').length > 0)
  if (hasPatterns || additional.some((value) => value === true || isObject(value))) return true
  return !additional.includes(false) && parts.every((part) => schemaMap(part, 'properties').length === 0)
}

function second(operation: string, { field: first }: Parameter, { field }: Parameter): Diagnostic {
  const [name, other] = [JSON.stringify(field.param), JSON.stringify(first.param)]
  const message = `${operation} has two query parameters that take members of any name: ${other} gets them all, and ${name} only those that it declares`
  const remedy = `Give ${name} the style deepObject, or list its members and add additionalProperties: false.`
  const related = [{ message: `the parameter ${other}`, at: first.at() }]
  return diagnose('free-form-twice', message, field.at(), { remedy, related })
}
