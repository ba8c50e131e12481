import { ownError } from '../../client/client-problem.js'
import {
  type ClientResponse,
  type Delivery,
  type Fetch,
  type OutgoingCall,
  platformFetch,
  type RestTransport,
  serviceAddress,
} from '../../client/transport.js'
import { unexpected } from '../../client/transport-answer.js'
import { exchange, type HttpRequest, openStream, type ResponseHead } from '../../client/transport-exchange.js'
import type { Operation } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import { boundHeaders } from './response-headers.js'
import { withoutBinaries } from './transport-body.js'
import { restRequest } from './transport-request.js'
import { isFile, isSuccess, restResult } from './transport-response.js'

export interface RestTransportOptions {
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /**
   * Where a GET carries its query params: in the `query`, or in a JSON `body` as in seed section 4. `body`
   * needs a custom `fetch`, built on `node:http` for example: the platform's throws on a GET with a body
   * (Fetch Standard, Request constructor), and many proxies refuse one. Default: `query`.
   */
  readonly getParams?: 'query' | 'body' | undefined
}

/**
 * Calls a service over REST. In a browser, cookie params are left to the browser: scripts cannot set the
 * Cookie header.
 *
 * @param address base URL of the document's paths; in a browser it may be relative to the page
 * @throws TypeError for an invalid address or option, and for `getParams: 'body'` without a `fetch`
 */
export function rest(address: string, options: RestTransportOptions = {}): RestTransport {
  const { fetch = platformFetch, getParams = 'query' } = options
  const baseUrl = serviceAddress(address).replace(/\/+$/, '')
  if (getParams !== 'body' && getParams !== 'query')
    throw new TypeError("rest: getParams takes 'query' or 'body'")
  if (getParams === 'body' && options.fetch === undefined) {
    throw new TypeError(
      "getParams: 'body' needs a fetch option: the platform's fetch sends no GET with a body",
    )
  }
  return {
    protocol: 'rest',
    async call(call, delivery) {
      const { operation } = call
      const request = requestOf(baseUrl, await withoutBinaries(call), getParams, delivery)
      const answer = await exchange(fetch, operation.name, request, delivery, (mediaType, status) =>
        isFile(operation, mediaType, status),
      )
      return responseOf(operation, answer, restResult(operation, answer, delivery.errors))
    },
    async stream(call, delivery) {
      const { operation } = call
      const request = requestOf(baseUrl, await withoutBinaries(call), getParams, delivery)
      const answer = await openStream(fetch, operation.name, request, delivery, (status) =>
        isSuccess(operation, status),
      )
      if ('content' in answer) return responseOf(operation, answer, answer.content)
      restResult(operation, answer, delivery.errors)
      throw unexpected(operation.name, answer, 'the response is not a success')
    },
  }
}

function responseOf<Data>(
  operation: Operation,
  { headers, status }: ResponseHead,
  data: Data,
): ClientResponse<Data> {
  return { data, status, headers: boundHeaders(operation, { headers, status }), rawHeaders: headers }
}

/**
 * The request of a call. Throws the ApiError that the service would answer for params that REST cannot carry.
 */
function requestOf(
  baseUrl: string,
  call: OutgoingCall,
  getParams: 'query' | 'body',
  { errors }: Delivery,
): HttpRequest {
  try {
    return restRequest(baseUrl, call, getParams)
  } catch (error) {
    throw error instanceof ProblemError ? ownError(error, call.operation.name, errors) : error
  }
}
