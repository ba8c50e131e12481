import type { Json, JsonObject } from '../../document/document.js'
import type { Kind } from '../../document/field.js'
import { type GrammarNode, walk } from '../../document/grammar.js'
import { isArray, isObject, own } from '../../document/json.js'
import { below, type Context, type Rule } from './rule.js'
import { operationName } from './subject.js'

/** x-timezone marks datetimes. Callers of operations with such datetimes can choose their zone by `__tz`. */
export const timezone: Rule = (context) => {
  const operations: GrammarNode[] = []
  let used = false
  return {
    schema(node) {
      const value = isObject(node.value) ? own(node.value, 'x-timezone') : undefined
      if (value === undefined) return
      const path = below(node.path, 'x-timezone')
      if (typeof value !== 'boolean') {
        context.report('timezone-invalid', path, 'x-timezone is neither true nor false')
      } else if (!isDatetime(context.resolve(node.value))) {
        context.report('timezone-invalid', path, 'x-timezone is on a schema that is not a datetime')
      } else used ||= value
    },
    parameter(node) {
      if (!isObject(node.value) || own(node.value, 'x-timezone') === undefined) return
      const message = 'x-timezone is on a parameter and not in its schema'
      context.report('timezone-invalid', below(node.path, 'x-timezone'), message)
    },
    operation(node) {
      operations.push(node)
    },
    end() {
      if (!used) return
      for (const node of operations) {
        if (!reachesZoned(context, node) || declaresZone(context, node)) continue
        const message = `${operationName(node)} has datetimes with x-timezone and no parameter __tz`
        context.report('timezone-parameter-missing', node.path, message)
      }
    },
  }
}

function isDatetime(schema: JsonObject | undefined): boolean {
  if (schema === undefined || own(schema, 'format') !== 'date-time') return false
  const type = own(schema, 'type')
  return type === 'string' || (isArray(type) && type.includes('string'))
}

/** Whether a request or response may contain a datetime with x-timezone, directly or through references. */
function reachesZoned(context: Context, operation: GrammarNode): boolean {
  const visited = new Set<Json>()
  let found = false
  const search = (value: Json, kind: Kind) =>
    walk({ kind, value, path: undefined }, (node) => {
      if (found || visited.has(node.value) || node.kind === 'callback') return false
      if (!isObject(node.value)) return undefined
      visited.add(node.value)
      if (node.kind === 'schema' && own(node.value, 'x-timezone') === true) found = true
      const target = Object.hasOwn(node.value, '$ref') ? context.resolve(node.value) : undefined
      if (target !== undefined) search(target, node.kind)
      return undefined
    })
  search(operation.value, 'operation')
  for (const parameter of shared(operation)) search(parameter, 'parameter')
  return found
}

function declaresZone(context: Context, operation: GrammarNode): boolean {
  const list = isObject(operation.value) ? own(operation.value, 'parameters') : undefined
  return [...(isArray(list) ? list : []), ...shared(operation)].some((item) => {
    const parameter = context.resolve(item)
    return parameter !== undefined && own(parameter, 'name') === '__tz'
  })
}

/** Parameters that the path item declares for all its operations. */
function shared(operation: GrammarNode): readonly Json[] {
  const item = operation.parent?.value
  const list = isObject(item) ? own(item, 'parameters') : undefined
  return isArray(list) ? list : []
}
