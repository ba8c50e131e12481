import { createRequire } from 'node:module'
import type { Context, Span } from '@opentelemetry/api'
import type { HttpRequest } from '../contract/http-request.js'
import type { CallProtocol, Operation, Protocol } from '../contract/operation.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import type { Outcome } from './outcome/outcome.js'

type OpenTelemetry = typeof import('@opentelemetry/api')

/** Spans and metrics by OpenTelemetry's semantic conventions for HTTP servers and JSON-RPC. */
export interface Telemetry {
  /** Runs the answering of a request within its span, which continues the caller's trace. */
  serve(exchange: ServedExchange, answer: () => void): void
  /** Runs one call. Over JSON-RPC the call has a span of its own, over REST it uses the request's. */
  call<Result>(
    operation: Operation,
    caller: { readonly protocol: CallProtocol; readonly request?: HttpRequest },
    run: () => Eventual<Outcome<Result>>,
  ): Eventual<Outcome<Result>>
}

/**
 * Undefined if `@opentelemetry/api` is not installed, or if no SDK is registered yet: then telemetry costs
 * nothing.
 */
export function createTelemetry(): Telemetry | undefined {
  const api = openTelemetry()
  return api && telemetryOf(api)
}

function openTelemetry(): OpenTelemetry | undefined {
  if (!Object.hasOwn(globalThis, registered)) return undefined
  // A static import would make the package mandatory, and an asynchronous one would make this module
  // impossible to `require`.
  try {
    return createRequire(import.meta.url)('@opentelemetry/api')
  } catch {
    return undefined
  }
}

/**
 * The key by which all copies of `@opentelemetry/api` 1.x share what an SDK registers. Loading the package takes longer
 * than a whole call.
 */
const registered = Symbol.for('opentelemetry.js.api.1')

const name = 'duet-runtime'

function telemetryOf(api: OpenTelemetry): Telemetry | undefined {
  const { context, metrics, propagation, SpanKind, trace } = api
  const meter = metrics.getMeter(name)
  const provider = trace.getTracerProvider()
  const hasSpans = !(
    provider instanceof api.ProxyTracerProvider && provider.getDelegateTracer(name) === undefined
  )
  if (!hasSpans && meter === api.createNoopMeter()) return undefined
  const tracer = trace.getTracer(name)
  // The conventions define buckets and names.
  const advice = { explicitBucketBoundaries: [...boundaries] }
  const requests = meter.createHistogram('http.server.request.duration', { unit: 's', advice })
  const calls = meter.createHistogram('rpc.server.call.duration', { unit: 's', advice })
  const served = new WeakMap<HttpRequest, ServedRequest>()
  return {
    serve(exchange, answer) {
      const { request } = exchange
      const start = performance.now()
      const parent = propagation.extract(context.active(), request.headers)
      const attributes = requestAttributes(request)
      const span = tracer.startSpan(
        attributes['http.request.method'],
        { kind: SpanKind.SERVER, attributes: { ...attributes, ...spanAttributes(request) } },
        parent,
      )
      const within = trace.setSpan(parent, span)
      const one: ServedRequest = { span, context: within, route: undefined }
      served.set(request, one)
      exchange.whenOver((statusCode) => {
        const resultAttributes = {
          ...(one.route !== undefined && { 'http.route': one.route }),
          'http.response.status_code': statusCode,
          ...(statusCode >= 500 && { 'error.type': String(statusCode) }),
        }
        span.setAttributes(resultAttributes)
        if (statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
        requests.record(seconds(start), { ...attributes, ...resultAttributes }, within)
      })
      context.with(within, answer)
    },
    call(operation, { protocol, request }, run) {
      const outer = request === undefined ? undefined : served.get(request)
      const conventions = protocol.startsWith('x-') ? conventionsOf.local : conventionsOf[protocol as Known]
      if (conventions.isRouted && outer !== undefined) {
        outer.route = operation.rest.path
        outer.span.updateName(`${request?.method} ${operation.rest.path}`)
      }
      if (conventions.rpc === undefined) return run()
      const start = performance.now()
      const attributes = { 'rpc.system.name': conventions.rpc.system, 'rpc.method': operation.name }
      const parent = outer?.context ?? context.active()
      const span = tracer.startSpan(
        operation.name,
        { kind: SpanKind.SERVER, attributes: { ...attributes, ...conventions.rpc.version } },
        parent,
      )
      const within = trace.setSpan(parent, span)
      return whenKnown(context.with(within, run), (outcome) => {
        const resultAttributes = failureAttributes(outcome)
        span.setAttributes(resultAttributes)
        if (outcome.problem !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
        calls.record(seconds(start), { ...attributes, ...resultAttributes }, within)
        return outcome
      })
    },
  }
}

/** What OpenTelemetry's conventions say of a protocol's calls. */
interface Conventions {
  /** Whether a call names the route of its request's span. */
  readonly isRouted: boolean
  /** The name and the version attribute of an RPC system, whose calls have spans of their own. */
  readonly rpc?: { readonly system: string; readonly version: Readonly<Record<string, string>> }
}

type Known = Protocol | 'local'

/** A protocol of a team's own has those of calls in process. */
const conventionsOf: { readonly [protocol in Known]: Conventions } = {
  rest: { isRouted: true },
  jsonrpc: { isRouted: false, rpc: { system: 'jsonrpc', version: { 'jsonrpc.protocol.version': '2.0' } } },
  mcp: { isRouted: false, rpc: { system: 'mcp', version: {} } },
  local: { isRouted: false },
}

/** A request, and a listener for the status of its response. */
interface ServedExchange {
  readonly request: HttpRequest
  whenOver(listener: (status: number) => void): void
}

interface ServedRequest {
  readonly span: Span
  readonly context: Context
  route: string | undefined
}

/** Only attributes with few values: each combination is a time series of its own. */
function requestAttributes({ httpVersion, method = '', socket }: HttpRequest) {
  return {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'url.scheme': 'encrypted' in socket ? 'https' : 'http',
    ...(httpVersion !== undefined && { 'network.protocol.version': httpVersion }),
  }
}

function spanAttributes({ headers, method = '', socket, url = '' }: HttpRequest) {
  const agent = headers['user-agent']
  return {
    'url.path': url.split('?', 1)[0] ?? '',
    'network.peer.address': socket.remoteAddress ?? '',
    ...(!knownMethods.has(method) && { 'http.request.method_original': method }),
    ...(agent !== undefined && { 'user_agent.original': agent }),
  }
}

function failureAttributes({ problem, ...outcome }: Outcome<unknown>): Record<string, string> {
  if (problem === undefined || !('definition' in outcome)) return {}
  return { 'rpc.response.status_code': String(outcome.definition.rpc), 'error.type': problem.code }
}

function seconds(start: number): number {
  return (performance.now() - start) / 1000
}

/** RFC 9110 and RFC 5789; any other method is `_OTHER` (semantic conventions for HTTP). */
const knownMethods: ReadonlySet<string> = new Set(
  'CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '),
)

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
