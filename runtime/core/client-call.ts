import type { ErrorCatalogue } from './catalogue.js'
import type { Auth } from './client-auth.js'
import { isApiError } from './client-error.js'
import type { CallOptions, ClientOptions } from './client-options.js'
import type { Operation } from './operation.js'
import { type RetryOptions, retryDelay } from './retry.js'
import type { Delivery, JsonRpcTransport, OutgoingCall, RestTransport } from './transport.js'
import { abortable, bounded } from './transport-exchange.js'

/** Everything that the attempts of one call, batch or notification have in common. */
export interface CallPlan {
  readonly operations: readonly Operation[]
  /** Name for messages. */
  readonly name: string
  readonly errors: ErrorCatalogue
  /** Absent: credentials are not needed, or there are none. */
  readonly auth: Auth | undefined
  /** False: never try again. */
  readonly retry: false | RetryOptions
  readonly signal: AbortSignal | undefined
  readonly timeout: number
  /** Under those of the protocol and of params. */
  readonly defaults: Readonly<Record<string, string>>
  /** Over all others, the last most of all. */
  readonly headers: readonly Readonly<Record<string, string>>[]
}

/**
 * Lays a call's options over its client's.
 *
 * @throws RangeError for a timeout that is no number from 0
 */
export function planCall(
  calls: readonly OutgoingCall[],
  errors: ErrorCatalogue,
  client: ClientOptions<RestTransport | JsonRpcTransport>,
  call: CallOptions,
): CallPlan {
  const operations = calls.map(({ operation }) => operation)
  const [only, another] = operations
  const auth = call.auth ?? client.auth
  const retry = call.retry ?? client.retry ?? {}
  const isPublic = operations.every((operation) => operation.security.length === 0)
  return {
    operations,
    name: only !== undefined && another === undefined ? only.name : 'batch',
    errors,
    auth: isPublic || auth === false ? undefined : auth,
    retry: calls.every(isRepeatable) && retry,
    signal: call.signal,
    timeout: checkedTimeout(call.timeout ?? client.timeout ?? 30_000),
    defaults: client.headers ?? {},
    headers: [call.headers ?? {}],
  }
}

/**
 * Makes attempts until one succeeds or none is left: retries after transient failures, and one more
 * attempt where the service refused a token and the auth has another.
 *
 * @throws what the last attempt threw; what the auth threw; TransportError `aborted`, and `timeout` for
 *   credentials that do not come in time
 */
export async function perform<T>(plan: CallPlan, attempt: (delivery: Delivery) => Promise<T>): Promise<T> {
  const { auth, defaults, errors, headers, name, retry, signal, timeout } = plan
  let retried = 0
  let wasRefused = false
  for (;;) {
    const credentials = await bounded(
      async () => auth?.headers({ operations: plan.operations }) ?? {},
      name,
      plan,
      `no credentials in ${timeout} ms; a call in obtain needs the options that obtain is given`,
    )
    try {
      return await attempt({ errors, defaults, headers: [credentials, ...headers], signal, timeout })
    } catch (error) {
      if (!wasRefused && isApiError(error, 'invalid_token') && auth?.refused?.(credentials)) {
        wasRefused = true
        continue
      }
      const delay = retry === false ? undefined : retryDelay(error, retried, retry)
      if (delay === undefined) throw error
      retried += 1
      await pause(delay, name, signal)
    }
  }
}

/** Whether the service does the same however often it gets the call. */
function isRepeatable({ operation: { idempotent, idempotencyKey }, params }: OutgoingCall): boolean {
  return idempotent || (idempotencyKey !== undefined && Object.hasOwn(params, idempotencyKey))
}

/** The longest that a timer can wait; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1

function checkedTimeout(timeout: number): number {
  if (!(timeout >= 0)) throw new RangeError(`The timeout must be milliseconds from 0: ${timeout}`)
  return Math.min(timeout, longestTimer)
}

async function pause(ms: number, name: string, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(ms, longestTimer))
    })
  try {
    await abortable(wait, name, signal)
  } finally {
    clearTimeout(timer)
  }
}
