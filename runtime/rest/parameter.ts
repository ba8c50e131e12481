import type { ParameterBinding } from '../core/operation.js'
import type { Violation } from '../core/problem.js'
import { pointerTo } from '../core/violations.js'
import { coerceDivided } from './coerce.js'
import { decodeText, type JsonReader } from './query.js'
import { divide, shapeOf } from './style.js'

export interface PathParameter {
  readonly binding: ParameterBinding
  /** Name among the router's values. */
  readonly value: string
  /** Number of the segment, where the whole segment is a value that its style divides; its raw text is read. */
  readonly segment: number | undefined
}

/** The parameters of a path template, in the order of their bindings. */
export function pathParameters(
  template: string,
  bindings: readonly ParameterBinding[],
): readonly PathParameter[] {
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1])
  const segments = template.split('/')
  return bindings.map((binding) => {
    const whole = segments.indexOf(`{${binding.name}}`)
    const divided = binding.style !== 'simple' || shapeOf(binding.coerce) !== 'text'
    return {
      binding,
      value: `p${names.indexOf(binding.name)}`,
      segment: divided && whole !== -1 ? whole : undefined,
    }
  })
}

/**
 * The value of a path parameter. `decoded` is its text as a router finds it, `path` the whole path, still
 * encoded.
 */
export function readPath(
  { binding, segment }: PathParameter,
  decoded: string,
  path: string,
  json: JsonReader,
  violations: Violation[],
): unknown {
  const pointer = pointerTo('', binding.param)
  if (binding.json === true) return json(decoded, pointer, violations)
  if (segment === undefined) {
    const divided = divide(decoded, binding, (text) => text)
    return coerceDivided(divided, binding.coerce, pointer, violations)
  }
  return readEncoded(binding, path.split('/')[segment] ?? '', violations)
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
  const divided = divide(text, binding, (part) => part.trim())
  return coerceDivided(divided, binding.coerce, pointer, violations)
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
  const divided = divide(raw, binding, (text) => decodeText(text, pointer, violations))
  return coerceDivided(divided, binding.coerce, pointer, violations)
}
