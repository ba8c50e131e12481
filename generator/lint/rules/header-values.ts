import { bodyValue } from '../../document/body-value.js'
import type { Json, JsonObject } from '../../document/document.js'
import type { GrammarNode } from '../../document/grammar.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import { below, type Context, type Rule } from './rule.js'

/** x-value: the member of a response's body that supplies its header `ETag`. */
export const headerValues: Rule = (context) => ({
  response(node) {
    const headers = isObject(node.value) ? own(node.value, 'headers') : undefined
    if (!isObject(headers) || !isObject(node.value)) return
    for (const [name, header] of Object.entries(headers)) {
      const expression = own(context.resolve(header) ?? {}, 'x-value')
      const names = bodyValue(expression)
      // Other expressions are reported at the header itself.
      if (names === undefined) continue
      const fault =
        name.toLowerCase() === 'etag' ? faultOf(context, node.value, names) : 'fills only the header ETag'
      if (fault === undefined) continue
      const path = below(node.path, 'headers', name)
      context.report('header-value-invalid', path, `x-value ${quoted(expression)} of ${name} ${fault}`)
    }
  },
  header: (node) => checkExpression(context, node),
})

function checkExpression(context: Context, { value, path }: GrammarNode): void {
  const expression = isObject(value) ? own(value, 'x-value') : undefined
  if (expression === undefined || bodyValue(expression) !== undefined) return
  const message = `x-value ${quoted(expression)} does not point into a response`
  context.report('header-value-invalid', below(path, 'x-value'), message)
}

/** Why some content of a response has no such text. */
function faultOf(context: Context, response: JsonObject, names: readonly string[]): string | undefined {
  const contents = own(response, 'content')
  const types = isObject(contents) ? Object.entries(contents) : []
  if (types.length === 0) return 'points into a response without content'
  for (const [type, content] of types) {
    let schema = isObject(content) ? own(content, 'schema') : undefined
    for (const name of names) {
      const [found, isRequired] = memberOf(context, schema, name)
      if (!isRequired) return `points to ${quoted(name)}, which ${type} does not require`
      schema = found
    }
    if (own(context.resolve(schema) ?? {}, 'type') !== 'string') return `points to no text in ${type}`
  }
  return undefined
}

/** The schema of a property and whether it is required, by the schema itself or one of its parts. */
function memberOf(
  context: Context,
  value: Json | undefined,
  name: string,
  depth = 0,
): [schema: Json | undefined, isRequired: boolean] {
  const schema = context.resolve(value)
  if (schema === undefined || depth > deepest) return [undefined, false]
  const properties = own(schema, 'properties')
  let found = isObject(properties) ? own(properties, name) : undefined
  const required = own(schema, 'required')
  let isRequired = isArray(required) && required.includes(name)
  const parts = own(schema, 'allOf')
  for (const part of isArray(parts) ? parts : []) {
    const [inherited, isAsked] = memberOf(context, part, name, depth + 1)
    found ??= inherited
    isRequired ||= isAsked
  }
  return [found, isRequired]
}

/** Circular compositions are reported elsewhere. */
const deepest = 20
