import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type Call, type Contract, ProblemError, pathOf } from 'duet-runtime'

/** Spans by OpenTelemetry's semantic conventions for HTTP and for JSON-RPC. */
export interface Tracing {
  /** Runs what answers a request within its span, a child of the caller's where there is a `traceparent`. */
  serve(request: IncomingMessage, response: ServerResponse, answer: () => void): void
  /** Runs one call: over REST its request's span is its span, of JSON-RPC each call has its own. */
  call<Result>(call: Call<unknown>, run: () => Promise<Result>): Promise<Result>
}

/** Undefined where no OpenTelemetry SDK has been installed by now: then nothing is spent on spans. */
export function createTracing({ operations }: Pick<Contract, 'operations'>): Tracing | undefined {
  const provider = trace.getTracerProvider()
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer('billing') === undefined) {
    return undefined
  }
  const tracer = provider.getTracer('billing')
  const traced = new WeakMap<IncomingMessage, { readonly span: Span; readonly context: Context }>()
  return {
    serve(request, response, answer) {
      const caller = propagation.extract(context.active(), request.headers)
      const { method = '' } = request
      const attributes = attributesOf(request)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
      const within = trace.setSpan(caller, span)
      traced.set(request, { span, context: within })
      response.once('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode)
        if (response.statusCode >= 500) fail(span, String(response.statusCode))
        span.end()
      })
      context.with(within, answer)
    },
    async call({ operation, protocol, request }, run) {
      const outer = request === undefined ? undefined : traced.get(request)
      if (protocol === 'rest') {
        const rest = operations[operation]?.rest
        if (rest !== undefined) {
          outer?.span.setAttribute('http.route', rest.path)
          outer?.span.updateName(`${request?.method} ${rest.path}`)
        }
        return run()
      }
      const attributes = {
        'rpc.system.name': 'jsonrpc',
        'rpc.method': operation,
        'jsonrpc.protocol.version': '2.0',
      }
      const parent = outer?.context ?? context.active()
      const span = tracer.startSpan(operation, { kind: SpanKind.SERVER, attributes }, parent)
      try {
        return await context.with(trace.setSpan(parent, span), run)
      } catch (error) {
        fail(span, error instanceof ProblemError ? error.code : 'internal_error')
        throw error
      } finally {
        span.end()
      }
    },
  }
}

function attributesOf(request: IncomingMessage) {
  const { headers, httpVersion, method = '', socket, url = '' } = request
  const agent = headers['user-agent']
  return {
    'http.request.method': method,
    'url.path': pathOf(url),
    'url.scheme': 'http',
    'network.protocol.version': httpVersion,
    'network.peer.address': socket.remoteAddress ?? '',
    ...(agent !== undefined && { 'user_agent.original': agent }),
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
