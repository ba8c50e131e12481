import type { OutgoingCall } from '../../client/transport.js'
import type { HttpRequest } from '../../client/transport-exchange.js'
import type { BodyBinding, Operation, ParameterBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { refuseUncarried, uncarried } from './carried.js'
import { contentOf, mediaFor, membersOf } from './transport-body.js'
import { checkCarried } from './transport-check.js'
import { cookiePairs, headerText, pathText, queryPairs } from './transport-style.js'

/**
 * The HTTP request of a call. Params go where the operation binds them; other params go into a body of
 * fields, else into the query, where the service can refuse them by name. `__tz` always goes into the query.
 * A GET or HEAD has no body unless `getParams` requests one: fields that the document puts in the body go
 * into the query.
 *
 * @param baseUrl without trailing slashes
 * @param getParams where a GET carries its query params: in the query or in a JSON body
 * @throws ProblemError `validation_failed` for a missing path param, and for a value that REST cannot carry
 * or that the service would read as another one
 */
export function restRequest(
  baseUrl: string,
  { operation, params }: OutgoingCall,
  getParams: 'query' | 'body',
): HttpRequest {
  const { method, parameters, body } = operation.rest
  const isGetBody = method === 'GET' && getParams === 'body'
  const isBodiless = method === 'HEAD' || (method === 'GET' && !isGetBody)
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(params))
  const rest = new Map(given)
  const query: string[] = []
  const queried = new Map<string, unknown>()
  const cookies = new Map<string, string>()
  const headers: Record<string, string> = Object.create(null)

  for (const binding of parameters) {
    const value = given.get(binding.param)
    const isField = isGetBody && binding.in === 'query' && body?.kind !== 'param' && binding.param !== '__tz'
    if (isField) continue
    rest.delete(binding.param)
    if (value === undefined || binding.in === 'path') continue
    if (binding.in === 'header') Object.assign(headers, headerOf(binding, value))
    else if (binding.in === 'cookie')
      for (const pair of cookiePairs(binding, value)) cookies.set(binding.param, pair)
    else {
      query.push(...queryPairs(binding, value))
      queried.set(binding.param, value)
    }
  }
  const timezone = rest.get('__tz')
  if (timezone !== undefined) query.push(...queryPairs(unbound('__tz'), timezone))
  rest.delete('__tz')

  for (const [name, value] of Object.entries(operation.rest.query ?? {}))
    query.push(...queryPairs(unbound(name), value))
  const sent = isBodiless ? undefined : operationBody(isGetBody ? (body ?? anyFields) : body, rest)
  const content = contentOf(sent, mediaFor(operation, params), (field) => fieldPointer(body, field))
  for (const [name, value] of rest) {
    query.push(...queryPairs(unbound(name), value))
    // Without a body the params are closed: the service refuses the name whatever its value, unless an open
    // parameter accepts it as a member.
    if (body !== undefined || parameters.some(({ open }) => open === true)) queried.set(name, value)
  }
  headers.accept = acceptOf(operation)
  if (content?.type !== undefined) headers['content-type'] = content.type
  if (cookies.size > 0) headers.cookie = [...cookies.values()].join('; ')
  const path = expandedPath(operation, given)
  checkCarried(operation, given, { path, query: query.join('&'), queried, headers, cookies })
  return {
    method,
    url: `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(content !== undefined && { body: content.body }),
  }
}

/** The body of a GET whose operation declares none. */
const anyFields: BodyBinding = { required: false, kind: 'fields' }

/** Pointer in the params of a body that is one param, or of a field of the body. */
function fieldPointer(body: BodyBinding | undefined, field?: string): string {
  const whole = body?.kind === 'param' ? pointerTo('', body.param ?? 'body') : ''
  if (field === undefined) return whole
  if (body?.kind === 'param') return pointerTo(whole, field)
  const { rename = {} } = body ?? {}
  return pointerTo('', Object.hasOwn(rename, field) ? (rename[field] ?? field) : field)
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

function acceptOf({ rest: { answers, jsonType = 'application/json', jsonTypes } }: Operation): string {
  const types = answers?.map(({ type }) => type) ?? jsonTypes ?? [jsonType]
  return [...new Set([...types, 'application/problem+json'])].join(', ')
}

function expandedPath({ rest }: Operation, given: ReadonlyMap<string, unknown>): string {
  const violations: Violation[] = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\/i.test(rest.path)
    ? [uncarried('', ALTERED)]
    : []
  const segments = rest.path.split('/').map((segment) => {
    const params: string[] = []
    const text = segment.replaceAll(/\{([^{}]*)\}/g, (_, variable: string) => {
      const binding = rest.parameters.find(
        (candidate) => candidate.in === 'path' && candidate.name === variable,
      )
      const param = binding?.param ?? variable
      const value = given.get(param)
      const expanded = binding === undefined || value === undefined ? '' : pathText(binding, value)
      if (expanded === '') violations.push(value === undefined ? missing(param) : uncarried(at(param), EMPTY))
      params.push(param)
      return expanded
    })
    // The URL parser removes dot segments even if they are percent-encoded (URL Standard, path state).
    if (/^(\.|%2e){1,2}$/i.test(text)) violations.push(...params.map((param) => uncarried(at(param), DOTS)))
    return text
  })
  refuseUncarried(violations)
  return segments.join('/')
}

const EMPTY = 'REST has no path for an empty value; call over JSON-RPC to send it'
// The URL parser treats a backslash as a slash (URL Standard, path state).
const ALTERED = 'REST has no path with a backslash, or the segment . or ..; call over JSON-RPC'
const DOTS = "REST has no path with the segment '.' or '..'; call over JSON-RPC to send it"

function at(param: string): string {
  return pointerTo('', param)
}

/** In the service's words. */
function missing(param: string): Violation {
  return { path: at(param), keyword: 'required', message: `must have required property '${param}'` }
}

function headerOf(binding: ParameterBinding, value: unknown): Readonly<Record<string, string>> {
  const text = headerText(binding, value)
  return text === undefined ? {} : { [binding.name]: text }
}

/** The binding of a param that the operation does not declare. */
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
