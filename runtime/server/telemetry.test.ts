import {
  type Attributes,
  type Context,
  type Meter,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  trace,
} from '@opentelemetry/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { billing, key } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createTelemetry } from './telemetry.js'

/** A span as the SDK's stand-in records it. */
interface Recorded {
  name: string
  readonly parent: string | undefined
  readonly attributes: Attributes
  failed: boolean
  ended: boolean
}

let spans: Recorded[]
let measured: { name: string; unit: string | undefined; attributes: Attributes }[]

beforeEach(() => {
  spans = []
  measured = []
})
afterEach(() => {
  trace.disable()
  metrics.disable()
  propagation.disable()
})

function registerTracer(): void {
  const spanOf = (recorded: Recorded, id: number): Span =>
    ({
      spanContext: () => ({ traceId: '0'.repeat(31) + id, spanId: `${id}`, traceFlags: 1 }),
      setAttributes: (attributes: Attributes) => Object.assign(recorded.attributes, attributes),
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
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never })
  propagation.setGlobalPropagator({
    inject: () => {},
    fields: () => ['traceparent'],
    extract: (context, carrier) => {
      const [, traceId = '', spanId = ''] = String(carrier.traceparent ?? '').split('-')
      return spanId === '' ? context : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 })
    },
  })
}

function registerMeter(): void {
  const createHistogram = (name: string, options?: { unit?: string }) => ({
    record: (value: number, attributes: Attributes) => {
      expect(value).toBeGreaterThanOrEqual(0)
      measured.push({ name, unit: options?.unit, attributes })
    },
  })
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram }) as unknown as Meter })
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const call = (id: number, params: object) => ({ jsonrpc: '2.0', id, method: 'clients.get', params })

test('there is no telemetry without an SDK', () => {
  expect(createTelemetry()).toBeUndefined()
})

test('a REST call has one span, a child of the caller’s, named by its route, and one measurement', async () => {
  registerTracer()
  registerMeter()
  const server = await served(serveNode(billing()))
  await server.ask('/clients/7?x=1', { headers: { traceparent, 'User-Agent': 'test/1' } })
  await expect.poll(() => spans.length + measured.length).toBe(2)
  const attributes = {
    'http.request.method': 'GET',
    'http.response.status_code': 401,
    'http.route': '/clients/{id}',
    'network.protocol.version': '1.1',
    'url.scheme': 'http',
  }
  const own = {
    'network.peer.address': '127.0.0.1',
    'url.path': '/clients/7',
    'user_agent.original': 'test/1',
  }
  expect(spans).toEqual([
    {
      name: 'GET /clients/{id}',
      parent: 'b7ad6b7169203331',
      attributes: { ...attributes, ...own },
      failed: false,
      ended: true,
    },
  ])
  expect(measured).toEqual([{ name: 'http.server.request.duration', unit: 's', attributes }])
})

test('each call of a batch has a child span of the request’s, and a measurement', async () => {
  registerTracer()
  registerMeter()
  const server = await served(serveNode(billing()))
  await server.rpc([call(1, { id: 7 }), call(2, { id: 8 })], key)
  await expect.poll(() => measured.length).toBe(3)
  const common = { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'clients.get' }
  const failure = { 'error.type': 'not_found', 'rpc.response.status_code': '-32004' }
  const version = { 'jsonrpc.protocol.version': '2.0' }
  expect(spans).toMatchObject([
    { name: 'POST', parent: undefined, failed: false, ended: true },
    { name: 'clients.get', parent: '1', attributes: { ...common, ...version }, failed: false, ended: true },
    { name: 'clients.get', parent: '1', attributes: { ...common, ...version, ...failure }, failed: true },
  ])
  expect(measured).toMatchObject([
    { name: 'rpc.server.call.duration', unit: 's', attributes: common },
    { name: 'rpc.server.call.duration', unit: 's', attributes: { ...common, ...failure } },
    { name: 'http.server.request.duration', unit: 's', attributes: { 'http.request.method': 'POST' } },
  ])
})

test('records metrics if only they have an SDK, and an unknown method adds no series', async () => {
  registerMeter()
  const server = await served(serveNode(billing()))
  await server.ask('/clients/7', { method: 'M-SEARCH' })
  await expect.poll(() => measured).toMatchObject([{ attributes: { 'http.request.method': '_OTHER' } }])
})
