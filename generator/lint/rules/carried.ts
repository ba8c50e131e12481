import { isObject, own, quoted } from '../../document/json.js'
import { below, type Rule } from './rule.js'
import { operationName } from './subject.js'

/**
 * Names and methods that requests over HTTP can have (RFC 9110, RFC 6265; Fetch Standard, forbidden methods and
 * headers).
 */
export const carried: Rule = (context) => ({
  parameter({ value, path }) {
    if (!isObject(value)) return
    const [name, place] = [own(value, 'name'), own(value, 'in')]
    if (typeof name !== 'string' || typeof place !== 'string') return
    const fault = faultOf(name, place)
    if (fault !== undefined) context.report('request-impossible', below(path, 'name'), fault)
  },
  operation(node) {
    if (!/^(trace|track|connect)$/i.test(node.path?.key ?? '')) return
    const message = `${operationName(node)} has a method that fetch refuses to send`
    context.report('request-impossible', node.path, message)
  },
})

function faultOf(name: string, place: string): string | undefined {
  if (name === '') return `A ${place} parameter without a name cannot be sent`
  if (place === 'header' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `No header can be called ${quoted(name)}`
  if (place === 'header' && connection.test(name)) return `The header ${name} is set by clients themselves`
  if (place === 'cookie' && /[;=,"\s\p{C}]/u.test(name)) return `No cookie can be called ${quoted(name)}`
  return undefined
}

const connection =
  /^(host|connection|content-length|cookie|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i
