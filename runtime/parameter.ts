import type { BodyMedia, ParameterBinding } from './contract/operation.js'
import type { Violation } from './contract/problem-details.js'
import { coerceJson } from './rest/style/json-text.js'
import { pathParameters, readCookie, readHeader, readPath } from './rest/style/parameter.js'
import { QueryBinder } from './rest/style/query.js'
import type { JsonObject } from './values/object.js'

/** A service's reading of a parameter's text. */
export interface ParameterReading {
  /** Undefined if the text is not a value of the parameter. */
  readonly value: unknown
  readonly violations: readonly Violation[]
}

/**
 * Reads a parameter as a service does, for tools that compare services. `text` is the raw text in the
 * request: an encoded path segment, a whole query string, a header, or a cookie's value.
 */
export function readParameter(binding: ParameterBinding, text: string): ParameterReading {
  const violations: Violation[] = []
  return { value: readText(binding, text, violations), violations }
}

/** A service's reading of a form. */
export interface FormReading {
  readonly params: { readonly [field: string]: unknown }
  readonly violations: readonly Violation[]
}

/**
 * Reads a form as a service does. `text` is the form as `application/x-www-form-urlencoded`, also for the parts of
 * `multipart/form-data`.
 */
export function readForm(
  { kind, fields = [] }: Pick<BodyMedia, 'kind' | 'fields'>,
  text: string,
): FormReading {
  const params: JsonObject = {}
  const violations: Violation[] = []
  const binder = new QueryBinder(fields, new Set(), coerceJson, true)
  if (kind === 'multipart')
    for (const [name, part] of new URLSearchParams(text)) binder.set(name, part, params, violations)
  else binder.read(text, params, violations)
  return { params, violations }
}

function readText(binding: ParameterBinding, text: string, violations: Violation[]): unknown {
  if (binding.in === 'header') return readHeader(binding, text, coerceJson, violations)
  if (binding.in === 'cookie') return readCookie(binding, text, coerceJson, violations)
  if (binding.in === 'query') {
    const params: JsonObject = {}
    new QueryBinder([binding], new Set(), coerceJson).read(text, params, violations)
    return Object.hasOwn(params, binding.param) ? params[binding.param] : undefined
  }
  const [parameter] = pathParameters(`/{${binding.name}}`, [binding])
  return parameter && readPath(parameter, decodeURIComponent(text), `/${text}`, coerceJson, violations)
}
