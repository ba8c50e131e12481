/** The response to a raw HTTP call. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Sends one request. A body that is not text is sent as JSON. */
export async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<HttpResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Sends one JSON-RPC 2.0 call and returns the envelope. */
export async function rpc(
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  params?: unknown,
): Promise<RpcResponse> {
  const answer = await send(`${url}/`, 'POST', headers, {
    jsonrpc: '2.0',
    id: 1,
    method,
    ...(params !== undefined && { params }),
  })
  const envelope = answer.body as Pick<RpcResponse, 'result' | 'error'>
  return { httpStatus: answer.status, ...envelope }
}

export interface RpcResponse {
  readonly httpStatus: number
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data: Readonly<Record<string, unknown>>
  }
}
