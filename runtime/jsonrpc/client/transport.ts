import { type Fetch, type JsonRpcTransport, platformFetch, serviceAddress } from '../../client/transport.js'
import { exchange, openStream } from '../../client/transport-exchange.js'
import type { Operation } from '../../contract/operation.js'
import { answeredPieces } from './stream-response.js'
import { httpRequest, requestEnvelope, withoutBinaries } from './transport-request.js'
import { batchAnswers, checkNotified, rpcResult, type SentCall } from './transport-response.js'

export interface JsonRpcTransportOptions {
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
}

/**
 * Calls a service over JSON-RPC 2.0. Ids are integers, unique in the transport.
 *
 * @param address the URL that receives the requests; in a browser it may be relative to the page
 * @throws TypeError for an invalid address
 */
export function jsonrpc(address: string, options: JsonRpcTransportOptions = {}): JsonRpcTransport {
  const { fetch = platformFetch } = options
  const url = serviceAddress(address)
  let lastId = 0
  return {
    protocol: 'jsonrpc',
    async call(call, delivery) {
      lastId += 1
      const sent: SentCall = { id: lastId, operation: call.operation }
      const request = httpRequest(url, requestEnvelope(await withoutBinaries(call), sent.id))
      const answer = await exchange(fetch, call.operation.name, request, delivery)
      return {
        data: rpcResult(sent, answer, delivery.errors),
        status: statusOf(call.operation),
        headers: {},
        rawHeaders: answer.headers,
      }
    },
    async batch(calls, delivery) {
      const sent = calls.map(({ operation }, index): SentCall => ({ id: lastId + 1 + index, operation }))
      lastId += calls.length
      const plain = await Promise.all(calls.map(withoutBinaries))
      const envelopes = plain.map((call, index) => requestEnvelope(call, sent[index]?.id))
      return batchAnswers(
        sent,
        await exchange(fetch, 'batch', httpRequest(url, envelopes), delivery),
        delivery.errors,
      )
    },
    async pieces(call, delivery) {
      lastId += 1
      const sent: SentCall = { id: lastId, operation: call.operation }
      const request = httpRequest(url, requestEnvelope(await withoutBinaries(call), sent.id), EVENTS)
      const isSuccess = (status: number) => status >= 200 && status < 300
      const answer = await openStream(fetch, call.operation.name, request, delivery, isSuccess)
      return {
        data: await answeredPieces(sent, answer, delivery),
        status: statusOf(call.operation),
        headers: {},
        rawHeaders: answer.headers,
      }
    },
    async notify(call, delivery) {
      const request = httpRequest(url, requestEnvelope(await withoutBinaries(call)))
      checkNotified(
        call.operation,
        await exchange(fetch, call.operation.name, request, delivery),
        delivery.errors,
      )
    },
  }
}

/** The document's only success status: JSON-RPC does not report which of several it was. */
function statusOf({ rest: { status, statuses } }: Operation): number | undefined {
  return statuses === undefined ? status : undefined
}

const EVENTS = 'text/event-stream, application/json'
