import type { Operation as RuntimeOperation } from 'duet-runtime'
import { rest } from 'duet-runtime/client'
import type { Operation } from '../model/model.js'
import { toolBinding } from './tool-call.js'

/** An HTTP request as the generated client sends it. */
export interface SentRequest {
  readonly method: string
  /** Path and query, to be appended to the service's address. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent if there is no body, or if it is not text. */
  readonly body?: string
  /** A body that is not text: a file, or a multipart form. */
  readonly content?: Blob | FormData
}

/**
 * The HTTP request of a call, created by the client's own transport but not sent. Has no credentials.
 *
 * @throws TypeError for params that cannot be sent
 */
export function sentRequest(
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
): Promise<SentRequest> {
  return requestOf(runtimeOperation(operation), params)
}

/** The same, for an operation of the generated table. */
export async function requestOf(
  operation: RuntimeOperation,
  params: Readonly<Record<string, unknown>>,
): Promise<SentRequest> {
  const requests: SentRequest[] = []
  const transport = rest(address, {
    fetch: (url, { method, headers, body }) => {
      const target = url.slice(address.length)
      const isText = typeof body === 'string'
      requests.push({ method, target, headers, ...(isText ? { body } : body && { content: body }) })
      return Promise.reject(new Error('Sent nowhere'))
    },
  })
  const call = { operation, params }
  const delivery = { errors: {}, defaults: {}, headers: [], signal: undefined, timeout: 0 }
  const failed: unknown = await transport.call(call, delivery).catch((error: unknown) => error)
  const [request] = requests
  if (request !== undefined) return request
  throw failed
}

/** An operation of the generated table, without the model's other data. */
export function runtimeOperation(operation: Operation): RuntimeOperation {
  const {
    source,
    failures: _,
    idempotencyKey,
    deprecation,
    binaries,
    int64,
    int64Numbers,
    tool,
    ...others
  } = operation
  return {
    ...others,
    source: source.pointer,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(deprecation !== undefined && { deprecation }),
    ...(binaries !== undefined && { binaries }),
    ...(int64 !== undefined && { int64 }),
    ...(int64Numbers !== undefined && { int64Numbers }),
    ...(tool !== undefined && { tool: toolBinding(tool) }),
  }
}

const address = 'http://service'
