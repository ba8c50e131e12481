import { isObject, own } from '../../document/json.js'
import { below, type Rule } from './rule.js'

/** Variables of a server URL are declared (OpenAPI 3.1.1, Server Object). */
export const servers: Rule = (context) => ({
  server(node) {
    const url = isObject(node.value) ? own(node.value, 'url') : undefined
    if (typeof url !== 'string' || !isObject(node.value)) return
    const variables = own(node.value, 'variables')
    for (const [, name = ''] of url.matchAll(/\{([^{}]*)\}/g)) {
      if (isObject(variables) && Object.hasOwn(variables, name)) continue
      context.report(
        'server-variable-undeclared',
        below(node.path, 'url'),
        `The server ${url} has no variable ${name}`,
      )
    }
  },
})
