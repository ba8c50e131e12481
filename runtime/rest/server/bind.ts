import { type Bound, takeTimezone } from '../../contract/bound.js'
import type { ReadableRequest } from '../../contract/http-request.js'
import { type Int64PlaceOf, withExactInt64 } from '../../contract/int64.js'
import type { BodyBinding, Operation, ParameterBinding } from '../../contract/operation.js'
import type { Json } from '../../contract/parsed-json.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { conflict, report, reportInexact, undeclared } from '../../contract/violations.js'
import { type BodyRule, hasBody } from '../../http/body.js'
import { essenceOf } from '../../http/media-type.js'
import { pathOf } from '../../http/target.js'
import { cookieParameter } from '../../values/cookie.js'
import { equal } from '../../values/equal.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { isJsonObject, type JsonObject, setMember } from '../../values/object.js'
import { coerceDivided } from '../style/coerce.js'
import { jsonReader } from '../style/json-text.js'
import { type PathParameter, pathParameters, readCookie, readHeader, readPath } from '../style/parameter.js'
import type { PathValues } from '../style/path-template.js'
import { type JsonReader, QueryBinder } from '../style/query.js'
import { divide } from '../style/style.js'
import { BodyReader } from './body.js'

/** Reads the params of one operation's REST calls: path, query, headers, cookies, body. */
export class RestBinder {
  readonly #query: QueryBinder
  readonly #path: readonly PathParameter[]
  readonly #fields: readonly ParameterBinding[]
  /** Params that only headers, cookies and the body as a whole carry. A query or body must not have their names. */
  readonly #notInQuery: readonly string[]
  readonly #notInBody: readonly string[]
  readonly #body: BodyBinding | undefined
  readonly #reader: BodyReader
  readonly #json: JsonReader
  /** Undefined: the params have no int64 integers, or have them as numbers. */
  readonly #placeInBody: Int64PlaceOf | undefined

  /** `credentials` are the query parameters of security schemes. */
  constructor({ rest, int64 }: Operation, credentials: ReadonlySet<string>) {
    const graph = int64?.params
    const placeOf: Int64PlaceOf = (path) => graph && { graph, path }
    const inBody: Int64PlaceOf = (keys, body) => placeOf(pathInBody(keys, rest.body), body)
    this.#json = jsonReader(placeOf)
    this.#placeInBody = graph && inBody
    const standing = (place: ParameterBinding['in']) => rest.parameters.filter((each) => each.in === place)
    const fixed = Object.keys(rest.query ?? {})
    this.#query = new QueryBinder(standing('query'), new Set([...credentials, ...fixed]), this.#json)
    this.#path = pathParameters(rest.path, standing('path'))
    this.#fields = [...standing('header'), ...standing('cookie')]
    const ofFields = this.#fields.map(({ param }) => param)
    const { shared = [], rename = {}, kind, param: whole = 'body' } = rest.body ?? {}
    this.#notInQuery = [...ofFields, ...(kind === 'param' ? [whole] : [])].filter(
      (name) => !standing('query').some(({ param }) => param === name),
    )
    this.#notInBody = ofFields.filter((name) => !shared.includes(name) && !Object.hasOwn(rename, name))
    this.#body = rest.body
    this.#reader = new BodyReader(rest.body, jsonReader(inBody))
  }

  /**
   * Reads and converts the params of a request. `url` is its target below the base path. Throws ProblemErrors
   * only for an unreadable body; invalid single values become violations.
   */
  bind(request: ReadableRequest, url: string, values: PathValues, rule: BodyRule): Eventual<Bound> {
    const params: JsonObject = {}
    const violations: Violation[] = []
    const mark = url.indexOf('?')
    const timezone = mark === -1 ? undefined : this.#query.read(url.slice(mark + 1), params, violations)
    if (mark !== -1) refuseNames(this.#notInQuery, params, violations)
    for (const parameter of this.#path) {
      const value = readPath(parameter, values[parameter.value] ?? '', pathOf(url), this.#json, violations)
      if (value !== undefined) mergeParameter(params, parameter.binding, value, violations)
    }
    for (const parameter of this.#fields) {
      const value = fieldValue(parameter, request, this.#json, violations)
      if (value !== undefined) mergeParameter(params, parameter, value, violations)
    }
    const bound = { params, timezone, violations }
    const isSent = hasBody(request) || this.#reader.takesEmpty(request)
    return isSent ? this.#withBody(request, rule, bound) : this.#withoutBody(request, bound)
  }

  #withBody(request: ReadableRequest, rule: BodyRule, bound: ReadBound): Eventual<Bound> {
    const found: Violation[] = []
    return whenKnown(this.#reader.read(request, rule, found), (read) => {
      const prefix = this.#body?.kind === 'param' ? pointerTo('', this.#body.param ?? 'body') : ''
      for (const violation of found) {
        const path = prefix === '' ? renamed(violation.path, this.#body?.rename) : prefix + violation.path
        report(bound.violations, { ...violation, path })
      }
      if (read === undefined) return this.#withoutBody(request, bound)
      const json = this.#placeInBody === undefined ? read : withExactInt64(read, this.#placeInBody)
      if (this.#body?.kind === 'param') return withParam(bound, json, this.#body.param ?? 'body')
      if (isJsonObject(json.value)) refuseNames(this.#notInBody, json.value, bound.violations)
      return withFields(bound, json, this.#body?.rename)
    })
  }

  /**
   * Handles a missing body. A body that is one param is reported missing under that param's name. A body of
   * fields is reported here, unless the query may carry its fields. A form without fields has no bytes, so it
   * counts as present.
   */
  #withoutBody({ method, headers }: ReadableRequest, bound: ReadBound): Bound {
    const body = this.#body
    if (body?.required !== true || method === 'GET' || method === 'HEAD') return bound
    const isEmptyForm = essenceOf(headers['content-type'] ?? '') === urlencoded
    if (body.kind === 'param') {
      const isForm = isEmptyForm && body.media?.some(({ type }) => type === urlencoded) === true
      return isForm ? withParam(bound, { value: {}, inexact: [] }, body.param ?? 'body') : bound
    }
    if (!isEmptyForm)
      report(bound.violations, { path: '', keyword: 'required', message: 'must have a request body' })
    return bound
  }
}

const urlencoded = 'application/x-www-form-urlencoded'

interface ReadBound extends Bound {
  readonly violations: Violation[]
}

function fieldValue(
  binding: ParameterBinding,
  { headers }: ReadableRequest,
  json: JsonReader,
  violations: Violation[],
): unknown {
  if (binding.in === 'cookie') {
    const raw = cookieParameter(headers.cookie, binding.name)
    return raw === undefined ? undefined : readCookie(binding, raw, json, violations)
  }
  const name = binding.name.toLowerCase()
  const header = Object.hasOwn(headers, name) ? headers[name] : undefined
  return header === undefined ? undefined : readHeader(binding, String(header), json, violations)
}

function withParam(
  { params, timezone, violations }: ReadBound,
  { value, inexact: pointers, isRounded }: Json,
  param: string,
): Bound {
  merge(params, param, value, violations)
  const path = pointerTo('', param)
  reportInexact(violations, pointers, (pointer) => path + pointer, isRounded)
  return { params, timezone, violations }
}

function withFields(
  bound: ReadBound,
  { value, inexact: pointers, isRounded }: Json,
  rename: BodyBinding['rename'],
): Bound {
  const { params, violations } = bound
  if (!isJsonObject(value)) {
    report(violations, { path: '', keyword: 'type', message: 'must be object' })
    return bound
  }
  reportInexact(violations, pointers, (pointer) => renamed(pointer, rename), isRounded)
  const timezone = mergedTimezone(bound.timezone, takeTimezone(value), violations)
  // The usual case: the body is the only source, so its object is the params.
  if (rename === undefined && isEmpty(params)) return { params: value, timezone, violations }
  for (const name of Object.keys(value)) {
    const param = rename !== undefined && Object.hasOwn(rename, name) ? (rename[name] ?? name) : name
    merge(params, param, value[name], violations)
  }
  return { params, timezone, violations }
}

/** Removes members that are params of another location. */
function refuseNames(names: readonly string[], sent: JsonObject, violations: Violation[]): void {
  for (const name of names) {
    if (!Object.hasOwn(sent, name)) continue
    delete sent[name]
    report(violations, undeclared(pointerTo('', name)))
  }
}

function mergedTimezone(query: unknown, body: unknown, violations: Violation[]): unknown {
  if (query !== undefined && body !== undefined && query !== body) report(violations, conflict('/__tz'))
  return query ?? body
}

/** The same param may be sent in two locations if both values are equal. */
function merge(params: JsonObject, param: string, value: unknown, violations: Violation[]): void {
  if (!Object.hasOwn(params, param)) setMember(params, param, value)
  else if (!equal(params[param], value)) report(violations, conflict(pointerTo('', param)))
}

/**
 * A query name that is not declared there is still text: reads it as the parameter of that name would be
 * read.
 */
function mergeParameter(
  params: JsonObject,
  binding: ParameterBinding,
  value: unknown,
  violations: Violation[],
): void {
  const { param, coerce } = binding
  const known = Object.hasOwn(params, param) ? params[param] : undefined
  if (typeof known === 'string' && typeof value !== 'string') {
    const plain: ParameterBinding = { ...binding, style: 'simple', explode: false }
    const read = coerceDivided(
      divide(known, plain, (text) => text),
      coerce,
      '',
      [],
    )
    if (equal(read, value)) params[param] = value
  }
  merge(params, param, value, violations)
}

/** The path in the params of a value in the body. */
function pathInBody(keys: readonly string[], body: BodyBinding | undefined): readonly string[] {
  if (body?.kind === 'param') return [body.param ?? 'body', ...keys]
  const [name, ...below] = keys
  if (name === undefined || body?.rename === undefined || !Object.hasOwn(body.rename, name)) return keys
  return [body.rename[name] ?? name, ...below]
}

function renamed(pointer: string, rename: BodyBinding['rename']): string {
  if (rename === undefined) return pointer
  const end = pointer.indexOf('/', 1)
  const token = pointer.slice(1, end === -1 ? undefined : end)
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  const param = Object.hasOwn(rename, name) ? (rename[name] ?? name) : name
  return pointerTo('', param) + (end === -1 ? '' : pointer.slice(end))
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}
