import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Attributes,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  trace,
} from '@opentelemetry/api'
import { type Contract, ProblemError } from 'duet-runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTracing } from './tracing.js'

const contract = {
  operations: { 'clients.get': { rest: { method: 'GET', path: '/clients/{id}' } } },
} as unknown as Contract

/** What stands in for an SDK has recorded of one span. */
interface Recorded {
  name: string
  readonly parent: string | undefined
  readonly attributes: Attributes
  failed: boolean
  ended: boolean
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function requestOf(method: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = { remoteAddress: '203.0.113.9' }
  return { method, url: '/clients/7?x=1', headers, httpVersion: '1.1', socket } as unknown as IncomingMessage
}

const responseOf = (statusCode: number) =>
  Object.assign(new EventEmitter(), { statusCode }) as unknown as ServerResponse

describe('tracing without an SDK', () => {
  it('is none', () => {
    expect(createTracing(contract)).toBeUndefined()
  })
})

describe('tracing', () => {
  let spans: Recorded[]
  beforeEach(() => {
    spans = []
    const spanOf = (recorded: Recorded, id: number): Span =>
      ({
        spanContext: () => ({ traceId: '0'.repeat(31) + id, spanId: `${id}`, traceFlags: 1 }),
        setAttribute(name: string, value: string) {
          recorded.attributes[name] = value
        },
        updateName(name: string) {
          recorded.name = name
        },
        setStatus() {
          recorded.failed = true
        },
        end() {
          recorded.ended = true
        },
      }) as unknown as Span
    const startSpan = (name: string, { attributes = {} }: SpanOptions, context: Context) => {
      const parent = trace.getSpan(context)?.spanContext().spanId
      const recorded = { name, parent, attributes: { ...attributes }, failed: false, ended: false }
      return spanOf(recorded, spans.push(recorded))
    }
    trace.setGlobalTracerProvider({
      getTracer: () => ({ startSpan, startActiveSpan: () => undefined }) as never,
    })
    propagation.setGlobalPropagator({
      inject: () => {},
      fields: () => ['traceparent'],
      extract: (context, carrier) => {
        const [, traceId = '', spanId = ''] = String(carrier.traceparent ?? '').split('-')
        return spanId === ''
          ? context
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 })
      },
    })
  })
  afterEach(() => {
    trace.disable()
    propagation.disable()
  })

  it('gives a REST call one span, below the caller’s, named by its route', async () => {
    const tracing = createTracing(contract)
    const request = requestOf('GET', { traceparent, 'user-agent': 'test/1' })
    const response = responseOf(200)
    tracing?.serve(request, response, () => {})
    const call = {
      operation: 'clients.get',
      protocol: 'rest',
      requestId: 'r',
      principal: undefined,
      request,
    } as const
    expect(await tracing?.call(call, async () => 'result')).toBe('result')
    response.emit('close')
    expect(spans).toEqual([
      {
        name: 'GET /clients/{id}',
        parent: 'b7ad6b7169203331',
        attributes: {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'http.route': '/clients/{id}',
          'network.peer.address': '203.0.113.9',
          'network.protocol.version': '1.1',
          'url.path': '/clients/7',
          'url.scheme': 'http',
          'user_agent.original': 'test/1',
        },
        failed: false,
        ended: true,
      },
    ])
  })

  it('gives each JSON-RPC call a span of its own below its request’s, and marks what failed', async () => {
    const tracing = createTracing(contract)
    const request = requestOf('POST')
    const response = responseOf(503)
    tracing?.serve(request, response, () => {})
    const call = {
      operation: 'clients.get',
      protocol: 'jsonrpc',
      requestId: 'r',
      principal: undefined,
      request,
    } as const
    await tracing?.call(call, async () => 'result')
    const refused = tracing?.call(call, () => Promise.reject(new ProblemError('not_found')))
    await expect(refused).rejects.toMatchObject({ code: 'not_found' })
    response.emit('close')
    const attributes = {
      'rpc.system.name': 'jsonrpc',
      'rpc.method': 'clients.get',
      'jsonrpc.protocol.version': '2.0',
    }
    expect(spans).toMatchObject([
      { name: 'POST', parent: undefined, failed: true, attributes: { 'error.type': '503' } },
      { name: 'clients.get', parent: '1', attributes, failed: false, ended: true },
      {
        name: 'clients.get',
        parent: '1',
        attributes: { ...attributes, 'error.type': 'not_found' },
        failed: true,
      },
    ])
  })
})
