import { type Bound, takeTimezone } from '../../contract/bound.js'
import type { ToolBinding } from '../../contract/operation.js'
import type { Json } from '../../contract/parsed-json.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { reportInexact, undeclared } from '../../contract/violations.js'
import { type JsonObject, setMember } from '../../values/object.js'

/** The arguments of a call as params: without what agents may not send, with what every call has. */
export function bindArguments(args: JsonObject, tool: ToolBinding, json: Json, at: string): Bound {
  const { fixed = {}, hidden = [] } = tool
  const violations: Violation[] = []
  const inArguments = Array.from(json.inexact).filter((pointer) => pointer.startsWith(at))
  reportInexact(violations, inArguments, (pointer) => pointer.slice(at.length - 1), json.isRounded)
  for (const name of [...Object.keys(fixed), ...hidden])
    if (Object.hasOwn(args, name)) violations.push(undeclared(pointerTo('', name)))
  const timezone = takeTimezone(args)
  for (const [name, value] of Object.entries(fixed)) setMember(args, name, structuredClone(value))
  return { timezone, params: args, violations }
}
