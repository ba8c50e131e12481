import type { Json } from '../load/document.js'
import { isObject } from '../load/json.js'
import type { Path } from '../load/pointer.js'
import { below, type Rule } from './rule.js'

/** Path templates are well-formed and differ by more than names (OpenAPI 3.1.1, Paths Object, Path Templating). */
export const paths: Rule = (context) => ({
  paths(node) {
    if (!isObject(node.value)) return
    const first = new Map<string, { readonly template: string; readonly path: Path; item: Json }>()
    for (const [template, item] of Object.entries(node.value)) {
      if (template.startsWith('x-')) continue
      const path = below(node.path, template)
      if (/^\/(\?|$)/.test(template) && Object.hasOwn(context.resolve(item) ?? {}, 'post')) {
        context.report('path-of-rpc', below(path, 'post'), `POST ${template} is the address of JSON-RPC`)
      }
      const mark = template.indexOf('?')
      if (mark > 0 && faultOf(template.slice(0, mark)) === undefined && !template.includes('#')) {
        const message = `The path ${template} carries a query string`
        context.report('path-query', path, message)
        continue
      }
      const fault = faultOf(template)
      if (fault !== undefined) {
        context.report('path-invalid', path, `The path ${template} ${fault.message}`, {
          remedy: fault.remedy,
        })
        continue
      }
      const shape = template.replaceAll(/\{[^}]*\}/g, '{}')
      const earlier = first.get(shape)
      if (earlier === undefined) first.set(shape, { template, path, item })
      else if (shareMethod(earlier.item, item)) {
        const related = [{ message: 'The other path', path: earlier.path }]
        context.report(
          'path-ambiguous',
          path,
          `${template} matches the same requests as ${earlier.template}`,
          { related },
        )
      }
    }
  },
})

/** Two templates that match the same requests are no trouble as long as their methods differ. */
function shareMethod(a: Json, b: Json): boolean {
  if (!isObject(a) || !isObject(b)) return false
  return Object.keys(a).some((key) => methods.has(key) && Object.hasOwn(b, key))
}

const methods: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
  'additionalOperations',
])

function faultOf(template: string): { readonly message: string; readonly remedy: string } | undefined {
  const fixed = template.replaceAll(/\{[^{}/]+\}/g, '')
  const names = [...template.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1])
  if (!template.startsWith('/'))
    return { message: 'does not begin with a slash', remedy: 'Begin it with a slash.' }
  if (/[{}]/.test(fixed)) {
    const message = 'has a brace without its other half, or braces without a name'
    return { message, remedy: 'Write each parameter as {name}.' }
  }
  if (/[?#]/.test(fixed)) {
    const remedy = 'Declare what follows the ? as query parameters, and keep the path alone.'
    return { message: 'carries a query string or a fragment', remedy }
  }
  if (/\\|\/(\.|%2e){1,2}(\/|$)/i.test(template)) {
    const remedy = 'Write the path as clients ask for it: they resolve . and .., and send / for a backslash.'
    return { message: 'has a segment . or .., or a backslash', remedy }
  }
  if (/[\s\p{C}]/u.test(template)) {
    return { message: 'has a space or a control character', remedy: 'Remove it, or percent-encode it.' }
  }
  if (new Set(names).size === names.length) return undefined
  return { message: 'has a parameter twice', remedy: 'Give one of the two another name.' }
}
