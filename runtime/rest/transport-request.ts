import type { BodyBinding, Operation, ParameterBinding } from '../core/operation.js'
import type { OutgoingCall } from '../core/transport.js'
import type { HttpRequest } from '../core/transport-exchange.js'
import { contentOf, mediaFor, membersOf } from './transport-body.js'
import { cookiePairs, headerText, pathText, queryPairs } from './transport-style.js'

/**
 * The HTTP request of a call: params go where the operation binds them, what is left goes into a body of
 * fields, else into the query, where the service can refuse it by name. `__tz` always goes into the query.
 *
 * @param baseUrl without trailing slashes
 * @param getParams where a GET carries its query params: in the query or in a JSON body
 * @throws TypeError for params that cannot be sent: a missing, empty or traversing path param, a value
 * that the param's style cannot carry, text with half a surrogate pair
 */
export function restRequest(
  baseUrl: string,
  { operation, params }: OutgoingCall,
  getParams: 'query' | 'body',
): HttpRequest {
  const { method, parameters, body } = operation.rest
  const isGetBody = method === 'GET' && getParams === 'body'
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(params))
  const rest = new Map(given)
  const query: string[] = []
  const cookies: string[] = []
  const headers: Record<string, string> = Object.create(null)
  const fields: Record<string, unknown> = Object.create(null)

  for (const binding of parameters) {
    const value = given.get(binding.param)
    rest.delete(binding.param)
    if (value === undefined || binding.in === 'path') continue
    if (binding.in === 'header') Object.assign(headers, headerOf(binding, value))
    else if (binding.in === 'cookie') cookies.push(...cookiePairs(binding, value))
    else if (isGetBody && binding.param !== '__tz') fields[binding.param] = value
    else query.push(...queryPairs(binding, value))
  }
  const timezone = rest.get('__tz')
  if (timezone !== undefined) query.push(...queryPairs(unbound('__tz'), timezone))
  rest.delete('__tz')

  for (const [name, value] of Object.entries(operation.rest.query ?? {}))
    query.push(...queryPairs(unbound(name), value))
  const media = mediaFor(operation, params)
  const content = contentOf(isGetBody ? getBody(fields, rest) : operationBody(body, rest), media)
  for (const [name, value] of rest) query.push(...queryPairs(unbound(name), value))
  headers.accept = acceptOf(operation)
  if (content?.type !== undefined) headers['content-type'] = content.type
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const path = expandedPath(operation, given)
  return {
    method,
    url: `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(content !== undefined && { body: content.body }),
  }
}

/** Takes what it sends out of the rest, as {@link operationBody} does. */
function getBody(fields: Record<string, unknown>, rest: Map<string, unknown>): unknown {
  for (const [name, value] of rest) fields[name] = value
  rest.clear()
  return Object.keys(fields).length > 0 ? fields : undefined
}

function operationBody(body: BodyBinding | undefined, rest: Map<string, unknown>): unknown {
  if (body === undefined) return undefined
  if (body.kind === 'param') {
    const param = body.param ?? 'body'
    const value = rest.get(param)
    rest.delete(param)
    return value
  }
  const members = membersOf(body)
  const fields: Record<string, unknown> = Object.create(null)
  for (const [param, value] of rest) fields[members.get(param) ?? param] = value
  const isSent = body.required || rest.size > 0
  rest.clear()
  return isSent ? fields : undefined
}

function acceptOf({ rest: { answers } }: Operation): string {
  const types = answers?.map(({ type }) => type) ?? ['application/json']
  return [...new Set([...types, 'application/problem+json'])].join(', ')
}

function expandedPath({ name, rest }: Operation, given: ReadonlyMap<string, unknown>): string {
  const path = rest.path.replaceAll(/\{([^{}]*)\}/g, (_, variable: string) => {
    const binding = rest.parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === variable,
    )
    const value = binding && given.get(binding.param)
    const text = binding === undefined || value === undefined ? '' : pathText(binding, value)
    if (text === '')
      throw new TypeError(`${name}: the path param ${binding?.param ?? variable} is missing or empty`)
    return text
  })
  // The URL parser drops dot segments even where they are percent-encoded (URL Standard, path state).
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new TypeError(`${name}: a path param must not make the path segment '.' or '..'`)
  }
  return path
}

function headerOf(binding: ParameterBinding, value: unknown): Readonly<Record<string, string>> {
  const text = headerText(binding, value)
  return text === undefined ? {} : { [binding.name]: text }
}

/** How a param is sent that the operation does not know. */
function unbound(name: string): ParameterBinding {
  return {
    name,
    param: name,
    in: 'query',
    required: false,
    style: 'form',
    explode: true,
    coerce: { types: [] },
  }
}
