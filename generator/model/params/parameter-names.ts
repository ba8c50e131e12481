import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Schema } from '../../schema/schema.js'
import { sameSchema } from '../content/field.js'
import type { Parameter } from './parameters.js'

/**
 * Prefixes a parameter's name with its location if an earlier parameter has the same name and another schema,
 * so both can be params: `query_id` besides the `id` of the path.
 */
export function namedByPlace(
  schemas: ReadonlyMap<string, Schema>,
  operation: string,
  parameters: readonly Parameter[],
  diagnostics: Diagnostic[],
): Parameter[] {
  const named = new Map<string, Parameter>()
  return parameters.map((parameter) => {
    const { field, binding } = parameter
    const first = named.get(field.param)
    if (first === undefined) {
      named.set(field.param, parameter)
      return parameter
    }
    if (sameSchema(schemas, first.field.schema, field.schema)) return parameter
    const taken = new Set([...named.keys(), ...parameters.map((other) => other.field.param)])
    let param = `${binding.in}_${binding.name}`
    while (taken.has(param)) param = `${param}_`
    const renamed = { ...parameter, field: { ...field, param }, binding: { ...binding, param } }
    named.set(param, renamed)
    const name = JSON.stringify(field.param)
    const message = `${operation} has two parameters named ${name} with different schemas; the one in ${binding.in} is the param ${JSON.stringify(param)}`
    const related = [{ message: `the other ${name}`, at: first.field.at() }]
    diagnostics.push(
      diagnose('params-named-by-place', message, field.at(), { pointer: field.pointer, related }),
    )
    return renamed
  })
}
