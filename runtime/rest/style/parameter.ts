import type { ParameterBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { noEntityTag, report } from '../../contract/violations.js'
import { coerceDivided, coerceText } from './coerce.js'
import { readEntityTag } from './entity-tag.js'
import { encodedValuesOf, isParameter, partsOf } from './path-template.js'
import { decodeText, type JsonReader } from './query.js'
import { divide, missingPrefix, shapeOf } from './style.js'

export interface PathParameter {
  readonly binding: ParameterBinding
  /** Name in the router's values. */
  readonly value: string
  /** The location of its raw text, which is read if its style divides the value. */
  readonly divided:
    | { readonly segment: number; readonly template: string; readonly place: number }
    | undefined
}

/** The parameters of a path template, in the order of their bindings. */
export function pathParameters(
  template: string,
  bindings: readonly ParameterBinding[],
): readonly PathParameter[] {
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1])
  const segments = template.split('/')
  return bindings.map((binding) => {
    const variable = `{${binding.name}}`
    const segment = segments.findIndex((template) => template.includes(variable))
    const template = segments[segment] ?? ''
    const place = partsOf(template).filter(isParameter).indexOf(variable)
    const isDivided = binding.style !== 'simple' || shapeOf(binding.coerce) !== 'text'
    return {
      binding,
      value: `p${names.indexOf(binding.name)}`,
      divided: isDivided ? { segment, template, place } : undefined,
    }
  })
}

/**
 * The value of a path parameter. `decoded` is its text from the router, `path` the whole path, still encoded.
 */
export function readPath(
  { binding, divided }: PathParameter,
  decoded: string,
  path: string,
  json: JsonReader,
  violations: Violation[],
): unknown {
  const pointer = pointerTo('', binding.param)
  if (binding.json === true) return json(decoded, pointer, violations)
  if (divided === undefined) return coerceText(decoded, binding.coerce, pointer, violations)
  const { segment, template, place } = divided
  const values = encodedValuesOf(template, path.split('/')[segment] ?? '')
  return readEncoded(binding, values[place] ?? '', violations)
}

/** The value of a header parameter. */
export function readHeader(
  binding: ParameterBinding,
  text: string,
  json: JsonReader,
  violations: Violation[],
): unknown {
  const pointer = pointerTo('', binding.param)
  if (binding.json === true) return json(text, pointer, violations)
  if (binding.preferences !== undefined) return preferred(text, binding.preferences)
  if (binding.entityTag === true) {
    const opaque = readEntityTag(text)
    if (opaque === undefined) report(violations, noEntityTag(pointer))
    return opaque
  }
  const divided = divide(text, binding, (part) => part.trim())
  return coerceDivided(divided, binding.coerce, pointer, violations)
}

/**
 * The first available choice in a list of preferences (RFC 9110 sections 12.5.3 and 12.5.4, without weights).
 */
function preferred(text: string, known: readonly string[]): string | undefined {
  if (text.trim() === '*') return undefined
  if (known.length === 0 || known.includes(text)) return text
  const wanted = text.split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase())
  return wanted.flatMap((one) => known.filter((each) => each.toLowerCase() === one))[0]
}

/** The value of a cookie parameter. */
export function readCookie(
  binding: ParameterBinding,
  raw: string,
  json: JsonReader,
  violations: Violation[],
): unknown {
  const pointer = pointerTo('', binding.param)
  if (binding.json !== true) return readEncoded(binding, raw, violations)
  return json(decodeText(raw, pointer, violations), pointer, violations)
}

function readEncoded(binding: ParameterBinding, raw: string, violations: Violation[]): unknown {
  const pointer = pointerTo('', binding.param)
  const prefix = missingPrefix(raw, binding)
  if (prefix !== undefined) {
    report(violations, { path: pointer, keyword: 'style', message: `must begin with ${prefix}` })
    return undefined
  }
  const divided = divide(raw, binding, (text) => decodeText(text, pointer, violations))
  return coerceDivided(divided, binding.coerce, pointer, violations)
}
