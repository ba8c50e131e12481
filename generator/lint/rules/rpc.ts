import type { GrammarNode } from '../../document/grammar.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { choices } from '../../document/vocabulary.js'
import { below, type Context, type Rule } from './rule.js'
import { operationName } from './subject.js'

/** x-rpc-method and x-rpc-param: names of methods and params in JSON-RPC 2.0. */
export const rpc: Rule = (context) => {
  const first = new Map<string, Path>()
  return {
    operation(node) {
      const method = isObject(node.value) ? own(node.value, 'x-rpc-method') : undefined
      if (method === undefined || method === false || node.parent?.parent?.kind === 'components') return
      const path = below(node.path, 'x-rpc-method')
      if (typeof method !== 'string' || !isMethod(method)) {
        const message = `x-rpc-method of ${operationName(node)} is not a method name: ${quoted(method)}`
        context.report('rpc-method-invalid', path, message)
        return
      }
      const earlier = first.get(method)
      if (earlier === undefined) first.set(method, path)
      else {
        const related = [{ message: 'The first one', path: earlier }]
        context.report('rpc-method-duplicate', path, `The method ${method} is used twice`, { related })
      }
    },
    parameter: (node) => checkParam(context, node.value, node.path),
    schema(node) {
      checkParam(context, node.value, node.path)
      const name = isObject(node.value) ? own(node.value, 'x-rpc-param') : undefined
      const keyword =
        name === undefined || node.field !== 'properties' ? undefined : choiceAround(node.parent)
      if (keyword === undefined) return
      const message = `x-rpc-param of a field in a branch of ${keyword} is ignored`
      context.report('rpc-param-ignored', below(node.path, 'x-rpc-param'), message)
    },
    requestBody: (node) => checkParam(context, node.value, node.path),
  }
}

/** The `anyOf` or `oneOf` of which a schema is one of several branches, or a part of one. */
function choiceAround(node: GrammarNode | undefined): string | undefined {
  const { field, parent } = node ?? {}
  if (field === 'allOf') return choiceAround(parent)
  const isChoice = choices.some((keyword) => keyword === field)
  const branches = isChoice && field !== undefined && isObject(parent?.value) ? own(parent.value, field) : []
  return isArray(branches) && branches.length > 1 ? field : undefined
}

function isMethod(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/.test(text) && !/^rpc(\.|$)/.test(text)
}

function checkParam(context: Context, value: unknown, path: Path): void {
  const name = isObject(value) ? own(value, 'x-rpc-param') : undefined
  if (
    name === undefined ||
    (typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '__tz')
  )
    return
  context.report('rpc-param-invalid', below(path, 'x-rpc-param'), `${quoted(name)} cannot name a param`)
}
