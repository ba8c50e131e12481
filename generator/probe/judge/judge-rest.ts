import type { Validator } from 'duet-runtime'
import { readParameter } from 'duet-runtime/parameter'
import { isJson, takes } from '../../diff/facts/parts/media.js'
import { childPointer, objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, parsed } from '../../document/json.js'
import { essenceOf } from '../../document/media-type.js'
import type { Model, Operation } from '../../model/model.js'
import type { TargetResponse } from '../target.js'
import type { Declarations, DeclaredResponse } from './declarations.js'
import { exactly } from './exact.js'
import { type Fault, faultsAt, serverFails, unknownCode } from './fault.js'

/** What a response over REST contradicts in the document, whatever its call was. */
export function restFaults(
  model: Model,
  declarations: Declarations,
  operation: Operation,
  what: string,
  answer: TargetResponse,
): Fault[] {
  const { status } = answer
  const faults = faultsAt(declarations.position(childPointer(operation.source.pointer, 'responses')))
  const declared = declarations.of(operation, status)
  if (status >= 500 && declared?.key !== String(status))
    return faults('server-error', String(status), serverFails(status, what))
  if (declared === undefined) {
    // The protocol's own answers: RFC 9110 sections 11.6.1 and 15.5.4, RFC 6585 section 4.
    if ((status === 401 || status === 403) && operation.security.length > 0) return []
    if (status === 429) return []
    const known = declarations.statuses(operation)
    const to = answer.headers.location === undefined ? '' : `, which leads to ${answer.headers.location}`
    const said = known.length === 0 ? 'declares no status' : `declares ${known.join(', ')}`
    const message = `The server answers ${status}${to}, to a call ${what}. The document ${said}`
    // A document that describes no refusal at all has one gap, not one for each status.
    const isOneGap = status >= 400 && !known.some((key) => /^4|^default$/i.test(key))
    return faults('undeclared-status', isOneGap ? '4XX' : String(status), message)
  }
  return [
    ...undeclaredCode(model, operation, answer, declared),
    ...contentFaults(declarations, operation, answer, declared),
    ...headerFaults(declarations, answer, declared),
  ]
}

/** A problem of Duet's runtime (RFC 9457) whose code is not in the catalogue. */
function undeclaredCode(
  { errors }: Model,
  operation: Operation,
  { body, headers }: TargetResponse,
  { at }: DeclaredResponse,
): Fault[] {
  if (essenceOf(headers['content-type'] ?? '') !== 'application/problem+json') return []
  const problem = parsed(body)
  const code =
    isObject(problem) && String(problem.type).startsWith('urn:problem-type:') ? problem.code : undefined
  if (typeof code !== 'string' || errors.has(code) || operation.errors.includes(code)) return []
  return faultsAt(at)('undeclared-code', code, unknownCode(code))
}

function contentFaults(
  declarations: Declarations,
  operation: Operation,
  { status, headers, body, isWhole }: TargetResponse,
  { key, at, types, operation: answer }: DeclaredResponse,
): Fault[] {
  const isBodiless = operation.rest.method === 'HEAD' || [204, 205, 304].includes(status)
  if (types.length === 0 || isBodiless) return []
  const sent = headers['content-type']
  if (body === '' && isWhole) {
    const isMissing = answer !== undefined && declarations.validatorsOf(answer)?.result(null) === false
    const message = `The body of the ${status} is empty. The document describes ${types.join(', ')}`
    return isMissing ? [{ kind: 'body-invalid', detail: `${key} empty`, at, message }] : []
  }
  const type = types.find((one) => sent !== undefined && takes(one, sent))
  if (type === undefined) {
    const found = sent === undefined ? 'no Content-Type' : `the media type ${essenceOf(sent)}`
    const message = `The ${status} has ${found}. The document declares ${types.join(', ')}`
    return [{ kind: 'wrong-content-type', detail: `${key} ${essenceOf(sent ?? '')}`, at, message }]
  }
  if (!isJson(sent ?? '') || answer === undefined || !isWhole) return []
  const place = declarations.position(childPointer(at.pointer, 'content', type))
  const value = exactly(body)
  if (value === undefined) {
    const message = `The body of the ${status} is not JSON, although its Content-Type says so`
    return [{ kind: 'body-invalid', detail: `${key} JSON`, at: place, message }]
  }
  const validators = declarations.validatorsOf(answer)
  const validator = validators?.contents?.[essenceOf(type)] ?? validators?.result
  return bodyFaults(validator, value, `The body of the ${status}`, key, place)
}

/** Why a validator refuses a body. */
export function bodyFaults(
  validator: Validator | undefined,
  value: unknown,
  subject: string,
  key: string,
  at: Fault['at'],
): Fault[] {
  let isValid: boolean
  try {
    isValid = validator?.(value) ?? true
  } catch {
    // A schema that cannot be compiled judges nothing.
    return []
  }
  const [first] = isValid ? [] : (validator?.errors ?? [])
  if (isValid || first === undefined) return []
  const path = first.instancePath
  const said = `${path === '' ? '' : `${path} `}${first.message ?? first.keyword}`
  const detail = `${key} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/-')} ${first.keyword}`
  return [{ kind: 'body-invalid', detail, at, message: `${subject} is invalid: ${said}` }]
}

function headerFaults(
  declarations: Declarations,
  { status, headers }: TargetResponse,
  { key, at, operation: answer, requiredHeaders }: DeclaredResponse,
): Fault[] {
  const fault = (kind: 'header-missing' | 'header-invalid', name: string, message: string): Fault[] =>
    faultsAt(declarations.position(childPointer(at.pointer, 'headers', name)))(
      kind,
      `${key} ${name}`,
      message,
    )
  const invalid = (name: string, what: string): Fault[] =>
    fault('header-invalid', name, `The header ${name} of the ${status} ${what}`)
  const missing = requiredHeaders
    .filter((name) => !Object.hasOwn(headers, name.toLowerCase()) && name.toLowerCase() !== 'content-type')
    .flatMap((name) => fault('header-missing', name, `The ${status} has no header ${name}`))
  if (answer?.headers === undefined) return missing
  const bound = boundHeaders(answer, headers)
  const names = answer.rest.headers?.map(({ name }) => name) ?? []
  const unread = names
    .filter((name) => Object.hasOwn(headers, name.toLowerCase()) && !Object.hasOwn(bound, name))
    .flatMap((name) => invalid(name, 'has a value of another type than declared'))
  const validator = declarations.headersOf(answer)
  const [first] = validator === undefined || validator(bound) ? [] : (validator.errors ?? [])
  const name = first?.instancePath.split('/')[1]
  const refused = name === undefined ? [] : invalid(name, `is invalid: ${first?.message ?? ''}`)
  return [...missing, ...unread, ...refused]
}

/** The declared headers of a response. Those that their types do not allow are left out. */
function boundHeaders(
  { rest: { headers: bindings = [] } }: Operation,
  headers: TargetResponse['headers'],
): JsonObject {
  return objectOf(
    bindings.flatMap(({ name, coerce, explode = false, json }): [string, Json][] => {
      const text = headers[name.toLowerCase()]
      if (text === undefined) return []
      const style = { style: 'simple', required: false, explode, coerce, ...(json && { json }) } as const
      const { value, violations } = readParameter({ name, param: name, in: 'header', ...style }, text)
      return value === undefined || violations.length > 0 ? [] : [[name, value as Json]]
    }),
  )
}
