import type { Json, JsonObject } from '../../document/document.js'
import { type GrammarNode, shapes } from '../../document/grammar.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import { type Path, segmentsOf } from '../../document/pointer.js'
import { closest } from '../../document/spelling.js'
import { below, type Context, type Rule } from './rule.js'

/** The names in a path template and the parameters with `in: path` are the same (OpenAPI 3.1.1, Path Templating). */
export const pathParameters: Rule = (context) => ({
  pathItem(node) {
    const segments = segmentsOf(node.path)
    const template = segments[1]
    if (segments.length !== 2 || segments[0] !== 'paths' || template === undefined || !isObject(node.value))
      return
    const names = new Set([...template.matchAll(/\{([^{}/]+)\}/g)].map(([, name = '']) => name))
    const shared = declared(context, own(node.value, 'parameters'), below(node.path, 'parameters'))
    for (const { method, operation, path } of operationsOf(node, node.value)) {
      const declaredHere = declared(context, own(operation, 'parameters'), below(path, 'parameters'))
      const known = new Set([...shared, ...declaredHere].map(({ name }) => name))
      for (const name of names) {
        if (known.has(name)) continue
        const message = `${method.toUpperCase()} ${template} does not declare its path parameter ${name}`
        context.report('path-parameter-undeclared', path, message)
      }
      for (const { name, path: at } of declaredHere) reportUnused(context, names, name, template, at)
    }
    for (const { name, path: at } of shared) reportUnused(context, names, name, template, at)
  },
  parameter(node) {
    if (!isObject(node.value) || own(node.value, 'in') !== 'path' || own(node.value, 'required') === true)
      return
    context.report(
      'path-parameter-optional',
      node.path,
      `The path parameter ${quoted(own(node.value, 'name'))} is not required`,
    )
  },
})

function declared(context: Context, list: Json | undefined, path: Path): { name: string; path: Path }[] {
  if (!isArray(list)) return []
  return list.flatMap((item, index) => {
    const parameter = context.resolve(item)
    const name = parameter && own(parameter, 'in') === 'path' ? own(parameter, 'name') : undefined
    return typeof name === 'string' ? [{ name, path: below(path, String(index)) }] : []
  })
}

function reportUnused(
  context: Context,
  names: ReadonlySet<string>,
  name: string,
  template: string,
  path: Path,
): void {
  if (names.has(name)) return
  const similar = closest(name, names)
  const remedy = similar && `Did you mean ${similar}?`
  context.report('path-parameter-unused', path, `The path ${template} has no {${name}}`, { remedy })
}

function operationsOf(
  node: GrammarNode,
  item: JsonObject,
): { method: string; operation: JsonObject; path: Path }[] {
  return Object.entries(item).flatMap(([method, operation]) => {
    const field = Object.hasOwn(shapes.pathItem.fields, method) ? shapes.pathItem.fields[method] : undefined
    if (field === undefined || !('one' in field) || !isObject(operation)) return []
    return [{ method, operation, path: below(node.path, method) }]
  })
}
