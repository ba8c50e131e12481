import { isObject } from '../../document/json.js'
import { below, type Rule } from './rule.js'

/**
 * Path templates are well-formed. The model stage reports those that match the same requests (OpenAPI 3.1.1,
 * Paths Object, Path Templating).
 */
export const paths: Rule = (context) => ({
  paths(node) {
    if (!isObject(node.value)) return
    for (const template of Object.keys(node.value)) {
      if (template.startsWith('x-')) continue
      const path = below(node.path, template)
      const [target = ''] = template.split('#', 1)
      const mark = target.indexOf('?')
      const fault = faultOf(mark > 0 ? target.slice(0, mark) : target)
      if (fault !== undefined) {
        context.report('path-invalid', path, `The path ${template} ${fault.message}`, {
          remedy: fault.remedy,
        })
      } else if (mark > 0) {
        context.report('path-query', path, `The path ${template} has a query string`)
      } else if (/\{[^{}/]*\s[^{}/]*\}/.test(target)) {
        const message = `The path ${template} has a parameter with a space in its name`
        context.report('path-parameter-space', path, message)
      }
    }
  },
})

function faultOf(template: string): { readonly message: string; readonly remedy: string } | undefined {
  const fixed = template.replaceAll(/\{[^{}/]+\}/g, '')
  const names = [...template.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1])
  if (!template.startsWith('/'))
    return { message: 'does not begin with a slash', remedy: 'Begin it with a slash.' }
  if (/[{}]/.test(fixed)) {
    const message = 'has an unpaired brace, or braces without a name'
    return { message, remedy: 'Write each parameter as {name}.' }
  }
  if (fixed.includes('?')) {
    const remedy = 'Declare the part after ? as query parameters, and remove it from the path.'
    return { message: 'has a query string', remedy }
  }
  if (/\\|\/(\.|%2e){1,2}(\/|$)/i.test(template)) {
    const remedy = 'Write the path as clients send it: they resolve . and .., and send / for a backslash.'
    return { message: 'has a segment . or .., or a backslash', remedy }
  }
  if (/[\s\p{C}]/u.test(fixed) || /\p{C}/u.test(template)) {
    return { message: 'has a space or a control character', remedy: 'Remove it, or percent-encode it.' }
  }
  if (new Set(names).size === names.length) return undefined
  return { message: 'has a parameter twice', remedy: 'Rename one of the two.' }
}
