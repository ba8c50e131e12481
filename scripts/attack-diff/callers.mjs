// What callers of two versions notice: calls and responses of one version, sent to services of both in this process.
import { isDeepStrictEqual } from 'node:util'
import { described } from '../../generator/dist/diff/decide/described.js'
import { isExploded } from '../../generator/dist/diff/facts/request/query-names.js'
import { rpcRequest } from '../../generator/dist/diff/proof/calls/reception.js'
import { restRequest } from '../../generator/dist/diff/proof/calls/request.js'
import { Service } from '../../generator/dist/diff/proof/calls/service.js'
import { asTexts } from '../../generator/dist/diff/texts/as-texts.js'
import { rpcTarget } from '../../generator/dist/model/rpc-target.js'
import { credentials } from '../../generator/dist/samples/credentials.js'
import { Sampler } from '../../generator/dist/samples/sampler.js'
import { validSample } from '../../generator/dist/samples/valid-sample.js'
import { LazyValidators } from '../../generator/dist/validators/lazy-validators.js'
import { compiled, operationOf, typed, withoutWriteOnly } from './answers.mjs'
import { mutated } from './text-mutation.mjs'

/** A version that receives calls. */
export class Running {
  constructor({ model, document }) {
    this.model = model
    this.root = document.root
    this.service = new Service(model)
    this.validators = new LazyValidators(model)
    this.samplers = {
      params: new Sampler(model.schemas, 'params'),
      result: new Sampler(model.schemas, 'result'),
    }
    this.rpcAddress = rpcTarget(model)
  }

  /** Valid params or results of an operation, as JSON. */
  samples(operation, what, seeds) {
    const found = seeds.flatMap((seed) => {
      const validator = (value) => {
        const accepts =
          what === 'params'
            ? this.validators.of(operation).params
            : () => this.service.takes(operation, value)
        const isValid = accepts(value)
        validator.errors = accepts.errors
        return isValid
      }
      const sample = validSample(this.samplers[what], operation[what], validator, String(seed))
      return 'value' in sample ? [sample.value] : []
    })
    return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()]
  }

  /** Whether callers know a result. By convention, those who never received a write-only member ignore it. */
  knows(operation, result) {
    if (this.service.takes(operation, result)) return true
    const { schemas, operations } = this.model
    this.lenient ??= new Service({
      ...this.model,
      schemas: new Map([...schemas].map(([name, schema]) => [name, withoutWriteOnly(schema)])),
      operations: operations.map((one) => ({ ...one, result: withoutWriteOnly(one.result) })),
    })
    const other = this.lenient.model.operations.find(({ name }) => name === operation.name)
    return this.lenient.takes(other, result)
  }

  ask(protocol, request, method) {
    return protocol === 'rest' ? this.service.receive(request) : this.service.called(method, request)
  }
}

/** Calls that the old version accepts: those that clients write, and variations of their texts. */
export async function callsOf(old, operation, random, count) {
  const calls = []
  const take = async (protocol, request) => {
    for (const sent of withEachCredential(old.model, operation, request)) {
      const { reached, params } = await old.ask(protocol, sent, operation.rpc)
      if (reached !== operation.name || !isOfItsType(old, operation, sent, params)) continue
      calls.push({ protocol, request: sent, params })
      return params
    }
    return undefined
  }
  const givens = old.samples(
    operation,
    'params',
    Array.from({ length: count }, () => random.below(1e6)),
  )
  for (const given of givens) {
    if (operation.rpc !== false) await take('jsonrpc', rpcRequest(operation.rpc, given, old.rpcAddress))
    const target = operation.routed ? await restRequest(operation, given) : ''
    if (typeof target === 'string') continue
    const request = { ...target, url: old.model.basePath + target.url }
    await take('rest', request)
    for (const other of Array.from({ length: count }, () => mutated(request, operation, random))) {
      const params = await take('rest', other)
      if (params !== undefined && operation.rpc !== false && isJson(params))
        await take('jsonrpc', rpcRequest(operation.rpc, params, old.rpcAddress))
    }
  }
  return calls
}

/**
 * Whether JSON next to forms matches the schema of JSON, and a text that of texts. Services take a body that matches
 * the schema of any of their media types, and any text where a schema says no string, but callers write each by its
 * own. By convention, they send a field that only a form describes as the form has it.
 */
function isOfItsType(side, { rest, source, params: schemaOfParams }, { headers, body }, params) {
  const type = headers['content-type']?.split(';')[0] ?? ''
  const kinds = new Set(rest.body?.media?.map(({ kind }) => kind))
  const isText = kinds.has('text') && type.startsWith('text/')
  if (body === undefined || !(isText || (kinds.size > 1 && /json/.test(type)))) return true
  const content = operationOf(side, source).requestBody?.content ?? {}
  const schema = (isText ? undefined : content['application/json']?.schema) ?? content[type]?.schema
  if (schema === undefined) return true
  const takes = compiled(side, schema)
  const isDescribed = compiled(
    side,
    described({ schema: schemaOfParams, components: side.model.schemas }, new Set()),
  )
  if (!isText && isJson(params) && !isDescribed(params)) return false
  return isText ? takes(body) || takes(typed(body)) : takes(JSON.parse(body))
}

/** How the new version treats a call differently. Undefined if it treats it like the old one. */
export async function noticed(fresh, [before, after], { protocol, request, params }) {
  const { reached, params: arrived, answer } = await fresh.ask(protocol, request, before.rpc)
  if (reached === undefined) return { kind: 'refused', why: `${answer.status} ${answer.body.slice(0, 300)}` }
  if (reached !== after?.name) return { kind: 'refused', why: `${reached} takes it` }
  const [was, is] = await Promise.all([params ?? {}, arrived ?? {}].map(plain))
  const told = (value) => (protocol === 'rest' ? asTexts(value) : value)
  const isApart = before.rest.body?.kind === 'param' && after.rest.body?.kind === 'fields'
  const isNamed = protocol === 'rest' && !isApart
  const renames = isNamed ? renamed(before, after) : new Map()
  // A header and a cookie may be one param. If they come apart, a call may have had only one of the two.
  const nameOf = (name) => {
    const names = renames.get(name) ?? [name]
    return names.find((one) => Object.hasOwn(all, one)) ?? names[0]
  }
  // A whole body contains what were params before.
  const whole = is[after.rest.body?.param]
  const all = { ...(typeof whole === 'object' && !Array.isArray(whole) && whole), ...is }
  // A separate convention decides about filled-in defaults.
  const [olds, news] = [before, after].map((one) => defaultsOf(fresh.model.schemas, one.params))
  const isKept = ([name, value]) =>
    olds.has(JSON.stringify(value)) ||
    areOne(
      told,
      unfilled(all[nameOf(name)] ?? null, value, olds),
      unfilled(value, all[nameOf(name)] ?? null, news),
    )
  const sent = protocol === 'rest' ? byQueryNames(takenApart(was, before, after), before, all, after) : was
  if (Object.entries(sent).every(isKept)) return undefined
  return { kind: 'read otherwise', why: `${JSON.stringify(was)} arrives as ${JSON.stringify(is)}` }
}

function areOne(told, one, other) {
  return isDeepStrictEqual(told(one), told(other))
}

/** The defaults of a schema and of the components that it leads to, as JSON. */
function defaultsOf(schemas, schema) {
  const [found, seen] = [new Set(), new Set()]
  const waiting = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    seen.add(at)
    if (Object.hasOwn(at, 'default')) found.add(JSON.stringify(at.default))
    const target = typeof at.$ref === 'string' && schemas.get(at.$ref.replace('#/components/schemas/', ''))
    waiting.push(...Object.values(at), target)
  }
  return found
}

/** A value without the members that only this version has and that are defaults. */
function unfilled(was, is, defaults) {
  if (Array.isArray(was) && Array.isArray(is))
    return is.map((one, index) => unfilled(was[index], one, defaults))
  if (![was, is].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) return is
  return Object.fromEntries(
    Object.entries(is).flatMap(([name, value]) => {
      if (Object.hasOwn(was, name)) return [[name, unfilled(was[name], value, defaults)]]
      return defaults.has(JSON.stringify(value)) ? [] : [[name, value]]
    }),
  )
}

/**
 * With the fields of a body in its place, if they are params now, and the other params by their new names, because a
 * field may have an old one. Over REST the body stays the same.
 */
function takenApart(params, before, after) {
  const { body: old } = before.rest
  if (old?.kind !== 'param' || after.rest.body?.kind !== 'fields') return params
  const { [old.param]: body, ...others } = params
  const names = renamed(before, after)
  const named = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => (names.get(name) ?? [name]).map((is) => [is, value])),
  )
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject ? { ...named, ...body } : { ...named, ...(body !== undefined && { [old.param]: body }) }
}

/**
 * Without the members of an object of the query that another param has now by the same name there: they still arrive.
 */
function byQueryNames(was, before, is, after) {
  const arrived = new Map(namedInQuery(is, after))
  const moved = new Set(
    namedInQuery(was, before).flatMap(([name, value]) =>
      isDeepStrictEqual(asTexts(arrived.get(name) ?? null), asTexts(value)) ? [name] : [],
    ),
  )
  return Object.fromEntries(
    Object.entries(was).flatMap(([param, value]) => {
      const names = namedInQuery({ [param]: value }, before).map(([name]) => name)
      return names.length > 0 && names.every((name) => moved.has(name)) ? [] : [[param, value]]
    }),
  )
}

/** What a query has under a name of its own: a parameter, or a member of an object. */
function namedInQuery(params, { rest }) {
  return rest.parameters
    .filter(({ in: place, param }) => place === 'query' && Object.hasOwn(params, param))
    .flatMap((one) => {
      const value = params[one.param]
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isExploded(one) && isObject ? Object.entries(value) : [[one.name, value]]
    })
}

/** The names in the new version of the params that have the same position in a request there. */
function renamed({ rest: old }, { rest: fresh }) {
  const placesOf = ({ path, parameters, body }) => [
    ...parameters.map(({ in: place, name, param }) => [
      place === 'path' ? `path ${path.indexOf(`{${name}}`)}` : `${place} ${name}`.toLowerCase(),
      param,
    ]),
    ...Object.entries(body?.rename ?? {}).map(([name, param]) => [`body ${name}`, param]),
    ...(body?.param === undefined ? [] : [['body', body.param]]),
  ]
  const places = new Map(placesOf(fresh))
  const found = new Map()
  for (const [place, param] of placesOf(old)) {
    const is = places.get(place) ?? (place.startsWith('body ') ? place.slice(5) : undefined)
    if (is !== undefined) found.set(param, [...(found.get(param) ?? []), is])
  }
  return found
}

/** Sends a proof again. Returns what is wrong with it, if anything. */
export async function broken({ proof, operation, direction }, old, fresh) {
  if (proof.status !== 'verified') return undefined
  const name = proof.operation ?? operation
  const operationOf = ({ model }) => model.operations.find((one) => one.name === name)
  if (direction === 'response') {
    const { result } = proof.jsonrpc ?? {}
    const [before, after] = [old, fresh].map(operationOf)
    if (result === undefined || before === undefined || after === undefined) return undefined
    if (/event-stream|ndjson|jsonl|json-seq/.test(proof.rest?.headers['content-type']))
      return brokenStream(proof, [old, before], [fresh, after])
    const given = await fresh.service.deliver(after, result)
    if (given.violations !== undefined) return 'the new version does not give it'
    const { violations, jsonrpc } = await old.service.deliver(before, result)
    // Next to bytes, a text is written as base64.
    const isSame = violations === undefined && isDeepStrictEqual(JSON.parse(jsonrpc.body).result, result)
    return isSame ? 'the old version gives it' : undefined
  }
  const {
    rest,
    jsonrpc,
    newAddress = {},
    jsonrpcPath = '/',
    credentials: { headers = {}, query = '' } = {},
  } = proof
  const calls = []
  if (rest !== undefined) {
    const type = rest.headers['content-type'] ?? ''
    const body = /json/.test(type) && rest.body !== undefined ? JSON.stringify(rest.body) : rest.body
    calls.push(['rest', { ...rest, body }, newAddress.rest ?? rest.url])
  }
  if (jsonrpc !== undefined) {
    const { url, ...request } = rpcRequest(jsonrpc.method, jsonrpc.params ?? {}, jsonrpcPath)
    const end = query === '' ? '' : `?${query}`
    calls.push([
      'jsonrpc',
      { ...request, headers: { ...request.headers, ...headers }, url: url + end },
      (newAddress.jsonrpc ?? url) + end,
    ])
  }
  for (const [protocol, request, url] of calls) {
    const before = await old.ask(protocol, request, jsonrpc?.method)
    if (before.reached === undefined)
      return `the old version refuses it over ${protocol}: ${before.answer.body.slice(0, 300)}`
    const after = await fresh.ask(protocol, { ...request, url }, jsonrpc?.method)
    if (after.reached !== undefined && !/ takes it\b/.test(proof.new))
      return `the new version takes it over ${protocol}`
  }
  return undefined
}

/** The same of a stream: a piece that the new version writes as shown, and that the old one does not write. */
async function brokenStream({ value, rest, jsonrpc }, [old, before], [fresh, after]) {
  // A text is sent as it is, whatever the schema says.
  if (typeof value === 'string') return undefined
  const given = await fresh.service.stream(after, value)
  if (given.violations !== undefined) return 'the new version does not give the piece'
  if (given.rest.body !== rest.body || JSON.parse(given.jsonrpc.body).result !== jsonrpc.result)
    return `the new version writes ${given.rest.body}, and over JSON-RPC ${given.jsonrpc.body}`
  const { violations } = await old.service.stream(before, value)
  return violations === undefined ? 'the old version gives the piece' : undefined
}

/** A request with the credentials for each of an operation's security requirements. */
function withEachCredential(model, { security }, request) {
  const alternatives = security.length === 0 ? [{}] : security
  return alternatives.map((one) => {
    const { headers, query } = credentials(model, { security: [one] })
    const named = headers.map(([name, value]) => [name.toLowerCase(), value])
    const cookies = [...named, ...Object.entries(request.headers)].flatMap(([name, value]) =>
      name === 'cookie' ? [value] : [],
    )
    return {
      ...request,
      url: query === '' ? request.url : `${request.url}${request.url.includes('?') ? '&' : '?'}${query}`,
      headers: {
        ...Object.fromEntries(named),
        ...request.headers,
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      },
    }
  })
}

function isJson(value) {
  return (
    !(value instanceof Blob) &&
    (typeof value !== 'object' || value === null || Object.values(value).every(isJson))
  )
}

async function plain(value) {
  if (value instanceof Blob) return Buffer.from(await value.arrayBuffer()).toString('latin1')
  if (Array.isArray(value)) return Promise.all(value.map(plain))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([key, one]) => [key, await plain(one)])),
  )
}
