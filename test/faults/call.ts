/** The protocols of a call. */
export const protocols = ['rest', 'jsonrpc'] as const
export type Protocol = (typeof protocols)[number]

/** The outcome of a call, and its duration. */
export type Answered = { readonly ms: number } & (
  | { readonly kind: 'done' }
  /** 503 with the seconds to wait, in the form of its protocol. */
  | { readonly kind: 'refused' }
  /** The connection broke or failed. */
  | { readonly kind: 'lost'; readonly why: string }
  /** Anything else. */
  | { readonly kind: 'wrong'; readonly why: string }
)

export interface CallOptions {
  readonly operation: 'clients.get' | 'clients.update'
  readonly params: { readonly id: number; readonly credit?: number; readonly idempotency_key?: string }
  readonly apiKey: string
  readonly deadlineMs: number
}

type Result = Readonly<Record<string, unknown>>

/** Sends one call. `fault` returns what is wrong with a result. */
export async function call(
  url: string,
  protocol: Protocol,
  options: CallOptions,
  fault: (result: Result) => string | undefined,
): Promise<Answered> {
  const start = performance.now()
  const since = () => performance.now() - start
  try {
    const { target, ...request } = protocol === 'rest' ? restRequest(url, options) : rpcRequest(url, options)
    const response = await fetch(target, { ...request, signal: AbortSignal.timeout(options.deadlineMs) })
    const text = await response.text()
    return { ms: since(), ...judged(response, text, protocol, fault) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'TimeoutError')
      return { ms: since(), kind: 'wrong', why: `no response in ${options.deadlineMs} ms` }
    return { ms: since(), kind: 'lost', why: String(error.cause ?? error) }
  }
}

function restRequest(url: string, { operation, params, apiKey }: CallOptions) {
  const { id, credit, idempotency_key } = params
  const target = `${url}/clients/${id}`
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  if (operation === 'clients.get') return { target, headers }
  return {
    target,
    method: 'PATCH',
    headers: { ...headers, ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }) },
    body: JSON.stringify({ credit }),
  }
}

function rpcRequest(url: string, { operation, params, apiKey }: CallOptions) {
  return {
    target: `${url}/`,
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation, params }),
  }
}

function judged(
  { status, headers }: Response,
  text: string,
  protocol: Protocol,
  fault: (result: Result) => string | undefined,
): { kind: 'done' } | { kind: 'refused' } | { kind: 'wrong'; why: string } {
  const body = JSON.parse(text)
  const problem = protocol === 'rest' ? body : body.error?.data
  const result = protocol === 'rest' ? body : body.result
  const asked = headers.get('retry-after')
  if (status === 200 && result !== undefined) {
    const why = fault(result)
    return why === undefined ? { kind: 'done' } : { kind: 'wrong', why: `${why} answered ${text}` }
  }
  const isRefusal =
    problem?.code === 'unavailable' &&
    problem.status === 503 &&
    problem.retryAfter >= 1 &&
    // Over JSON-RPC a refused call has status 200, and a node that refuses all calls sends 503.
    (status === 200 ? protocol === 'jsonrpc' : status === 503 && asked === String(problem.retryAfter)) &&
    (protocol === 'rest'
      ? headers.get('content-type')?.startsWith('application/problem+json')
      : body.error.code === -32003)
  return isRefusal ? { kind: 'refused' } : { kind: 'wrong', why: `${status}, Retry-After ${asked}: ${text}` }
}
