import { isDeepStrictEqual } from 'node:util'
import { contractOf, startMock } from '../../generator/dist/mock/mock.js'
import { losesPieces, sampleCalls } from '../../generator/dist/testing.js'
import {
  apiKey,
  authorization,
  basic,
  bearer,
  createClientOf,
  isApiError,
  jsonrpc,
  rest,
} from '../../runtime/dist/client.js'

/**
 * A call over both protocols. `ending` is the outcome over REST, `success` or a problem's code, or the reason
 * why there is nothing to compare; `cause` is absent if both protocols agree.
 * @typedef {{ name: string, kind: 'valid' | 'invalid', ending: string, cause?: string, overRest?: unknown,
 * overRpc?: unknown }} Trial
 * @typedef {{ result?: unknown, code?: string, problem?: any, body?: unknown, thrown?: string, uncarried?:
 * boolean }} Outcome
 * @typedef {Readonly<Record<string, unknown>>} Params
 * @typedef {{ call: (name: string, params: Params) => Promise<unknown> }} Client
 * @typedef {import('../../runtime/dist/index.js').Contract} Contract
 */

/**
 * Starts the mock of a document and calls every operation over both protocols, with valid and invalid params.
 * @param {import('../../generator/dist/model/model.js').Model} model
 * @param {ReadonlyMap<string, string>} files its generated files
 * @returns {Promise<Trial[]>}
 */
export async function trialsOf(model, files) {
  const contract = await contractOf(files)
  const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
  const options = { auth: credentials(contract), retry: /** @type {const} */ (false) }
  const overRest = rest(mock.url, { fetch: counted })
  const overRpc = jsonrpc(`${mock.url}${contract.rpcPath ?? ''}`, { fetch: counted })
  /** @type {Client} */
  const restClient = createClientOf(contract, { ...options, transport: overRest })
  /** @type {Client} */
  const rpcClient = createClientOf(contract, { ...options, transport: overRpc })
  /** @type {Trial[]} */
  const trials = []
  try {
    for (const call of calls(contract)) {
      const { name, kind, params, missing } = call
      const isHead = contract.operations[name]?.rest.method === 'HEAD'
      if (params === undefined) trials.push({ name, kind, ending: missing })
      else trials.push({ name, kind, ...(await ends(contract, restClient, rpcClient, call, isHead)) })
    }
  } finally {
    await mock.close()
  }
  return trials
}

let sent = 0

/** @type {import('../../runtime/dist/client.js').Fetch} */
function counted(url, request) {
  sent += 1
  return fetch(url, request)
}

/**
 * The calls of every operation: one with only the required params, one with optional params, and invalid
 * ones.
 * @param {Contract} contract
 * @returns {Iterable<{ name: string, kind: 'valid' | 'invalid' } & ({ params: Params, missing?: undefined } |
 * { params?: undefined, missing: string })>}
 */
function* calls(contract) {
  const routed = new Set(contract.routes.map(({ operation }) => operation.name))
  const least = new Map(sampleCalls(contract).map((call) => [call.name, call.params]))
  for (const { name, params, missing } of sampleCalls(contract, { seed: '2', optional: true })) {
    const unreachable = routed.has(name) ? unsendable(contract, name) : 'REST does not have it'
    if (params === undefined || unreachable !== undefined) {
      yield { name, kind: 'valid', missing: missing ?? unreachable ?? '' }
      continue
    }
    const lean = least.get(name) ?? params
    yield { name, kind: 'valid', params: lean }
    if (!isDeepStrictEqual(lean, params)) yield { name, kind: 'valid', params }
    for (const invalid of wrong(params)) yield { name, kind: 'invalid', params: invalid }
  }
}

/** @param {Contract} contract @param {string} name */
function unsendable(contract, name) {
  return contract.operations[name]?.rest.method === 'TRACE' ? 'fetch sends no TRACE' : undefined
}

/** Any credential for each scheme. @param {Contract} contract */
function credentials({ securitySchemes }) {
  return Object.fromEntries(
    Object.entries(securitySchemes).flatMap(([name, scheme]) => {
      /** @type {[string, import('../../runtime/dist/client.js').Credential][]} */
      const none = []
      if (scheme.type === 'mutualTLS') return none
      // A key in the header Authorization would collide with another scheme's credential.
      const isAuthorization = scheme.type === 'apiKey' && scheme.name.toLowerCase() === 'authorization'
      if (scheme.type === 'apiKey') return [[name, apiKey(isAuthorization ? 'Bearer any' : 'any')]]
      const kind = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
      if (kind === 'bearer') return [[name, bearer('any')]]
      return [[name, kind === 'basic' ? basic('any', 'any') : authorization('any')]]
    }),
  )
}

/**
 * Params with one fault each: an unknown name, a missing one, a value of another type.
 * @param {Params} params
 * @returns {Params[]}
 */
function wrong(params) {
  const names = Object.keys(params)
  return [
    { ...params, no_such_param: 'x' },
    ...names.slice(0, 2).map((name) => without(params, name)),
    ...names.slice(0, 4).map((name) => ({ ...params, [name]: ofOtherType(params[name]) })),
  ]
}

/** @param {Params} params @param {string} name @returns {Params} */
function without(params, name) {
  return Object.fromEntries(Object.entries(params).filter(([other]) => other !== name))
}

/** @param {unknown} value */
function ofOtherType(value) {
  return typeof value === 'string' ? ['x', 'y'] : 'x'
}

/**
 * @param {Contract} contract @param {Client} restClient @param {Client} rpcClient
 * @param {{ name: string, kind: string, params: Params }} call @param {boolean} isHead
 * @returns {Promise<Omit<Trial, 'name' | 'kind'>>}
 */
async function ends(contract, restClient, rpcClient, { name, kind, params }, isHead) {
  const before = sent
  const overRest = await outcome(restClient, name, params)
  // The client refuses values that REST cannot carry, a missing path parameter, and a file of another type.
  const isRefused = overRest.uncarried === true || (kind === 'invalid' && sent === before)
  if (isRefused) return { ending: "REST can't carry it" }
  const overRpc = await outcome(rpcClient, name, params)
  const why = overRest.thrown ?? overRest.problem?.detail
  const ending = `${overRest.code ?? 'success'}${kind === 'invalid' || why === undefined ? '' : `: ${why}`}`
  if (await losesPieces(contract, name, overRest.result))
    return { ending, cause: 'the stream has no piece', overRest, overRpc }
  if (isDeepStrictEqual(compared(overRest, isHead), compared(overRpc, isHead))) return { ending }
  return { ending, cause: causeOf(overRest, overRpc), overRest, overRpc }
}

/** @param {Client} client @param {string} name @param {Params} params @returns {Promise<Outcome>} */
async function outcome(client, name, params) {
  try {
    const result = await client.call(name, params)
    return { result: result instanceof Blob ? await result.text() : result }
  } catch (error) {
    if (!isApiError(error)) return { code: 'thrown', thrown: String(error) }
    const { body } = error
    if (error.violations.some(({ keyword }) => keyword === 'rest')) return { uncarried: true }
    const { requestId: _, ...problem } = error.problem
    return { code: error.code, problem, ...(body !== undefined && { body }) }
  }
}

/** An answer to HEAD has no body. @param {Outcome} outcome @param {boolean} isHead */
function compared(outcome, isHead) {
  return isHead ? { code: outcome.code, status: outcome.problem?.status } : outcome
}

/** @param {Outcome} overRest @param {Outcome} overRpc */
function causeOf(overRest, overRpc) {
  if (overRest.thrown !== undefined || overRpc.thrown !== undefined)
    return `thrown: ${(overRest.thrown ?? overRpc.thrown ?? '').replaceAll(/\S*[\d/]\S*/g, '_').slice(0, 80)}`
  if (overRest.code !== overRpc.code)
    return `REST ${overRest.code ?? 'success'}, JSON-RPC ${overRpc.code ?? 'success'}`
  if (overRest.problem === undefined) return 'results differ'
  if (overRest.problem.status !== overRpc.problem?.status) return 'statuses differ'
  return isDeepStrictEqual(overRest.problem, overRpc.problem) ? 'bodies differ' : 'problems differ'
}
