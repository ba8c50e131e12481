import { request } from 'node:http'
import { type Api, type Operation, ProblemError } from 'duet-runtime'
import type { Served } from '../../runtime/fixtures/serve.js'
import type { SampleUser } from '../../service/data/credentials.js'
import type { Identity } from '../../service/identity/identity.js'
import type { Principal } from '../../service/identity/principal.js'
import type { HttpCall, Params } from './rest-call.js'

/** The outcome of a call in a form common to all ways to call: the result, or the problem without its request id. */
export type Outcome = { readonly result: unknown } | { readonly problem: unknown }

export type AnyApi = Pick<Api<Record<string, never>, Principal>, 'call'>

interface Parts {
  readonly identity: Identity
  readonly user: Pick<SampleUser, 'login' | 'password' | 'apiKey'>
  readonly principal: Principal
  /** By version. */
  readonly apis: ReadonlyMap<string, AnyApi>
  /** Addresses by version and server: `1.0.0 node`. */
  readonly urls: ReadonlyMap<string, string>
  /** What `fetch` of an api serves, by the same names. */
  readonly fetched: ReadonlyMap<string, Pick<Served, 'ask'>>
}

/** The ways to call an operation. The outcomes of all are the same. */
export class Callers {
  constructor(readonly parts: Parts) {}

  async locally(
    version: string,
    operation: Operation,
    params: Params,
    timezone: string | undefined,
  ): Promise<Outcome> {
    try {
      const result = await this.parts.apis.get(version)?.call(operation.name as never, params as never, {
        principal: needsToken(operation)
          ? await this.parts.identity.authenticate({ jwt: await this.#freshToken() })
          : this.parts.principal,
        ...(timezone !== undefined && { timezone }),
      })
      return { result: comparable(result, params) }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      return { problem: withoutRequestId(error.problem) }
    }
  }

  async overRpc(
    server: string,
    operation: Operation,
    params: Params,
    timezone: string | undefined,
  ): Promise<Outcome> {
    const { body } = await this.post(server, await this.#credentials(operation), {
      jsonrpc: '2.0',
      id: 1,
      method: operation.rpc,
      params: Object.fromEntries([
        ...Object.entries(params),
        ...(timezone === undefined ? [] : [['__tz', timezone]]),
      ]),
    })
    const envelope = body as { result?: unknown; error?: { data: unknown } }
    return envelope.error
      ? { problem: withoutRequestId(envelope.error.data) }
      : { result: comparable(envelope.result, params) }
  }

  async overMcp(
    server: string,
    operation: Operation,
    params: Params,
    timezone: string | undefined,
  ): Promise<Outcome> {
    const { name = '', structured } = operation.tool ?? {}
    const zone = timezone === undefined ? [] : [['__tz', timezone]]
    const answer = await this.exchange(
      server,
      'POST',
      '/mcp',
      {
        ...(await this.#credentials(operation)),
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': name,
      },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: Object.fromEntries([...Object.entries(params), ...zone]),
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    )
    const { result } = answer.body as { result: { isError?: boolean; structuredContent: unknown } }
    if (result.isError === true) return { problem: withoutRequestId(result.structuredContent) }
    const content = result.structuredContent as { result: unknown }
    return { result: comparable(structured === 'member' ? content.result : content, params) }
  }

  async overRest(
    server: string,
    operation: Operation,
    { path, headers, body }: HttpCall,
    params: Params,
  ): Promise<Outcome> {
    const sent = { ...(await this.#credentials(operation)), ...headers }
    const answer = await this.exchange(server, operation.rest.method, path, sent, body)
    return answer.status < 300
      ? { result: comparable(answer.body, params) }
      : { problem: withoutRequestId(answer.body) }
  }

  post(server: string, headers: Readonly<Record<string, string>>, body: unknown) {
    return this.exchange(server, 'POST', '/', headers, body)
  }

  /** One exchange by `api.fetch` or through node:http, which unlike fetch can send a body with GET. */
  async exchange(
    server: string,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const direct = await this.parts.fetched.get(server)?.ask(path, { method, headers, body })
    if (direct !== undefined) return { status: direct.status, body: direct.json }
    return new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const entity =
        body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
      const sent = request(
        `${this.parts.urls.get(server)}${path}`,
        { method, headers: { ...headers, ...entity } },
        async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk as Buffer)
          const answer = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, body: answer === '' ? undefined : JSON.parse(answer) })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }

  async #credentials(operation: Operation): Promise<Record<string, string>> {
    return needsToken(operation)
      ? { Authorization: `Bearer ${await this.#freshToken()}` }
      : { 'X-Api-Key': this.parts.user.apiKey }
  }

  /** A new token that no call has refreshed. */
  async #freshToken(): Promise<string> {
    return (await this.parts.identity.login(this.parts.user.login, this.parts.user.password)).token
  }
}

function needsToken({ security }: Operation): boolean {
  return security.length > 0 && !security.some((alternative) => 'apiKey' in alternative)
}

/**
 * Removes what differs between calls by design: tokens (of their expiry, only the offset must agree), and versions of a
 * client that every call changes. A call with an idempotency key does not change it again.
 */
function comparable(result: unknown, params: Params): unknown {
  if (result === null || typeof result !== 'object') return result
  if ('version' in result && !('idempotency_key' in params))
    return { ...result, version: typeof result.version }
  if (!('token' in result)) return result
  const { token, expires_at } = result as { token: string; expires_at: string }
  return { token: typeof token, expires_at: expires_at.slice(-6) }
}

function withoutRequestId(problem: unknown): unknown {
  const { requestId: _, ...rest } = problem as { requestId?: string }
  return rest
}
