import { isObject, own } from '../../document/json.js'
import { closest } from '../../document/spelling.js'
import { readSecuritySchemes } from '../../model/build/security.js'
import { fitsOneRequest } from '../../model/credential-kinds.js'
import { below, type Rule } from './rule.js'

/** Security requirements name existing schemes (OpenAPI 3.1.1, Security Requirement Object) that can be combined. */
export const security: Rule = (context) => {
  const components = own(context.document.root, 'components')
  const declared = isObject(components) ? own(components, 'securitySchemes') : undefined
  const names = isObject(declared) ? Object.keys(declared) : []
  // Faulty schemes are reported at their own position.
  const schemes = readSecuritySchemes(context.document, [])
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
      const required = Object.keys(node.value)
      if (!fitsOneRequest(required.flatMap((name) => schemes.get(name) ?? [])))
        context.report(
          'security-unsatisfiable',
          node.path,
          `No request satisfies ${required.join(' and ')}: they need different credentials in its one Authorization header`,
        )
    },
  }
}
