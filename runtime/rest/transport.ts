import { type Fetch, platformFetch, type RestTransport, serviceAddress } from '../core/transport.js'
import { exchange } from '../core/transport-exchange.js'
import { withoutBinaries } from './transport-body.js'
import { restRequest } from './transport-request.js'
import { isFile, restResult } from './transport-response.js'

export interface RestTransportOptions {
  /** What sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /**
   * Where a GET carries the params that the document puts in the query: `query`, or `body`, a JSON object
   * as seed section 4 has it. `body` needs a `fetch` of your own, made from `node:http` for example: the
   * platform's throws on a GET with a body (Fetch Standard, Request constructor), and many proxies
   * refuse one. Default: `query`.
   */
  readonly getParams?: 'query' | 'body' | undefined
}

/**
 * Calls a service over REST. In a browser cookie params are left to the browser, which lets no script
 * set the Cookie header.
 *
 * @param address that the document's paths are appended to; in a browser it may be relative to the page
 * @throws TypeError for a wrong address, and for `getParams: 'body'` without a `fetch`
 */
export function rest(address: string, options: RestTransportOptions = {}): RestTransport {
  const { fetch = platformFetch, getParams = 'query' } = options
  const baseUrl = serviceAddress(address).replace(/\/+$/, '')
  if (getParams === 'body' && options.fetch === undefined) {
    throw new TypeError(
      "getParams: 'body' needs a fetch option: the platform's fetch sends no GET with a body",
    )
  }
  return {
    protocol: 'rest',
    async call(call, delivery) {
      const { operation } = call
      const request = restRequest(baseUrl, await withoutBinaries(call), getParams)
      const answer = await exchange(fetch, operation.name, request, delivery, (mediaType, status) =>
        isFile(operation, mediaType, status),
      )
      return restResult(operation, answer, delivery.errors)
    },
  }
}
