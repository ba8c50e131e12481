import { isObject, own } from '../load/json.js'
import { closest } from '../load/spelling.js'
import { below, type Rule } from './rule.js'

/** Security requirements name schemes that exist (OpenAPI 3.1.1, Security Requirement Object). */
export const security: Rule = (context) => {
  const components = own(context.document.root, 'components')
  const declared = isObject(components) ? own(components, 'securitySchemes') : undefined
  const names = isObject(declared) ? Object.keys(declared) : []
  return {
    securityRequirement(node) {
      if (!isObject(node.value)) return
      for (const name of Object.keys(node.value)) {
        if (names.includes(name)) continue
        const similar = closest(name, names)
        context.report(
          'security-scheme-unknown',
          below(node.path, name),
          `There is no security scheme ${name}`,
          {
            remedy: similar && `Did you mean ${similar}?`,
          },
        )
      }
    },
  }
}
