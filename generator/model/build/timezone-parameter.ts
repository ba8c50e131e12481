import { text } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { parseFragment, parsePointer, valueAt } from '../../document/pointer.js'
import type { Model, Operation } from '../model.js'

/**
 * `__tz` of an operation as its own or its path's declaration has it, else the built-in one. The Parameter
 * Object always has a description.
 */
export function timezoneParameter(
  { openapi }: Pick<Model, 'openapi'>,
  { source }: Pick<Operation, 'source'>,
): JsonObject {
  const at = parsePointer(source.pointer) ?? []
  const levels = [at, at.slice(0, -1), at.slice(0, -2)].map((segments) => valueAt(openapi, segments))
  const declared = levels
    .flatMap((level) => (isObject(level) ? own(level, 'parameters') : undefined) ?? [])
    .map((parameter) => resolved(openapi, parameter))
    .find((parameter) => isObject(parameter) && own(parameter, 'name') === '__tz')
  return { description: usual, ...(isObject(declared) && declared) }
}

/** Seed section 1, rules 1 to 3. */
const usual =
  'IANA time zone of results, and of datetimes without an offset. Default: the zone of the user, else of the system.'

function resolved(root: JsonObject, value: Json): Json | undefined {
  const reference = text(value, '$ref')
  if (!reference?.startsWith('#')) return value
  const segments = parseFragment(reference.slice(1))
  return segments && valueAt(root, segments)
}
