import { TransportError } from '../../client/client-error.js'
import { closing, collectedPieces } from '../../client/client-stream.js'
import type { Delivery } from '../../client/transport.js'
import { bounded, type HttpResponse, type OpenResponse } from '../../client/transport-exchange.js'
import type { ErrorCatalogue } from '../../contract/catalogue.js'
import type { Operation } from '../../contract/operation.js'
import { readFields } from '../../values/event-reader.js'
import { rpcResult, type SentCall } from './transport-response.js'

/**
 * The pieces of a response: of events that arrive one by one, or of one result.
 *
 * @throws what {@link rpcResult} throws; the pieces throw it for a failure in mid-stream
 */
export async function answeredPieces(
  sent: SentCall,
  answer: OpenResponse | HttpResponse,
  delivery: Delivery,
): Promise<AsyncGenerator> {
  const { operation } = sent
  if ('content' in answer && answer.mediaType === 'text/event-stream')
    return closing(arrivingResults(sent, answer, delivery.errors), answer.content)
  const whole = 'content' in answer ? await collected(answer, operation.name, delivery) : answer
  return collectedPieces(operation, rpcResult(sent, whole, delivery.errors))
}

async function* arrivingResults(
  { id, operation }: SentCall,
  { content, ...head }: OpenResponse,
  errors: ErrorCatalogue,
): AsyncGenerator {
  const sent = { id, operation: pieceOf(operation) }
  for await (const { event, data } of readFields(content)) {
    const piece = rpcResult(sent, { ...head, mediaType: 'application/json', text: data }, errors)
    if (event === 'end') return
    yield piece
  }
  throw new TransportError('network', 'the stream broke off', { operation: operation.name })
}

/** The operation whose result is one piece of the stream. */
function pieceOf(operation: Operation): Operation {
  const { int64, int64Numbers, rest, ...others } = operation
  const { answers: _, ...plain } = rest
  return {
    ...others,
    rest: plain,
    ...(int64 && { int64: { ...int64, ...(int64.piece && { result: int64.piece }) } }),
    ...(int64Numbers?.piece && { int64Numbers: { result: int64Numbers.piece } }),
  }
}

async function collected(
  { content, ...head }: OpenResponse,
  operation: string,
  delivery: Delivery,
): Promise<HttpResponse> {
  return { ...head, text: await bounded(() => new Response(content).text(), operation, delivery) }
}
