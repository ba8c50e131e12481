import type { ErrorCatalogue } from '../contract/catalogue.js'
import { ApiError } from './client-error.js'
import type { CallOptions, ClientContract, ClientOptions, Deprecated } from './client-options.js'
import {
  type Configured,
  type CredentialTexts,
  configuredSchemes,
  neededCredentials,
  placeCredentials,
  textsOf,
} from './credentials/client-security.js'
import { type RetryOptions, retryDelay } from './retry.js'
import type { Delivery, HeaderReader, OutgoingCall, Transport } from './transport.js'
import { abortable, bounded } from './transport-exchange.js'

/** What all attempts of one call, batch or notification share. */
export interface CallPlan {
  /** The operation's name, for messages. */
  readonly name: string
  readonly errors: ErrorCatalogue
  /** Empty: the call needs no credentials, or none are configured. */
  readonly credentials: readonly Configured[]
  /** False: never try again. */
  readonly retry: false | RetryOptions
  readonly signal: AbortSignal | undefined
  readonly timeout: number
  /** Default headers. Headers of the protocol and of params override them. */
  readonly defaults: Readonly<Record<string, string>>
  /** These override all other headers; later ones override earlier ones. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** Receives the headers of each response. */
  readonly answered: Delivery['answered']
}

/**
 * Merges a call's options with the client's.
 *
 * @throws RangeError for a timeout that is not a number of at least 0; TypeError for credentials that fit no
 * scheme
 */
export function planCall(
  calls: readonly OutgoingCall[],
  { errors, securitySchemes, version }: Pick<ClientContract, 'errors' | 'securitySchemes' | 'version'>,
  client: ClientOptions<Transport>,
  call: CallOptions,
): CallPlan {
  const operations = calls.map(({ operation }) => operation)
  const [only, another] = operations
  const auth = call.auth ?? client.auth
  const retry = call.retry ?? client.retry ?? {}
  const configured = configuredSchemes(securitySchemes, auth === false ? undefined : auth)
  const name = only !== undefined && another === undefined ? only.name : 'batch'
  return {
    name,
    errors,
    credentials: neededCredentials(operations, configured),
    retry: calls.every(isRepeatable) && retry,
    signal: call.signal,
    timeout: checkedTimeout(call.timeout ?? client.timeout ?? 30_000),
    defaults: { ...versionHeaders(client, version), ...client.headers },
    headers: [call.headers ?? {}],
    answered: client.onDeprecated && deprecationReader(client.onDeprecated, name, client.transport),
  }
}

/**
 * Makes attempts until one succeeds or no retry is left. Retries transient failures, and makes one more
 * attempt if the service refused the credentials and new ones are available.
 *
 * @throws what the last attempt or a credential threw; TransportError `aborted`; TransportError `timeout` if
 * the credentials take too long
 */
export async function perform<T>(plan: CallPlan, attempt: (delivery: Delivery) => Promise<T>): Promise<T> {
  const { answered, credentials, defaults, errors, headers, name, retry, signal, timeout } = plan
  let retried = 0
  let wasRefused = false
  let refusal: { readonly error: ApiError; readonly texts: CredentialTexts } | undefined
  for (;;) {
    const texts = await bounded(
      () => textsOf(credentials, refusal?.texts),
      name,
      plan,
      `no credentials in ${timeout} ms; calls inside obtain need the options that obtain receives`,
    )
    if (refusal !== undefined && isSame(texts, refusal.texts)) throw refusal.error
    refusal = undefined
    try {
      const sent = placeCredentials(credentials, texts)
      return await attempt({ answered, errors, credentials: sent, defaults, headers, signal, timeout })
    } catch (error) {
      if (!wasRefused && texts.size > 0 && isRefusal(error)) {
        wasRefused = true
        refusal = { error, texts }
        continue
      }
      const delay = retry === false ? undefined : retryDelay(error, retried, retry)
      if (delay === undefined) throw error
      retried += 1
      await pause(delay, name, signal)
    }
  }
}

/**
 * Whether the service refused the call's credentials. The code `unauthenticated` means that it found no
 * credentials; other ones would not help.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401 && error.code !== 'unauthenticated'
}

function isSame(texts: CredentialTexts, others: CredentialTexts): boolean {
  return [...texts].every(([credential, text]) => others.get(credential) === text)
}

/** Whether repeating the call has no further effect on the service. */
function isRepeatable({ operation: { idempotent, idempotencyKey }, params }: OutgoingCall): boolean {
  return idempotent || (idempotencyKey !== undefined && Object.hasOwn(params, idempotencyKey))
}

function versionHeaders(
  { versionHeader = 'API-Version' }: ClientOptions<Transport>,
  version: string | undefined,
): Readonly<Record<string, string>> {
  return version === undefined || versionHeader === false ? {} : { [versionHeader]: version }
}

/** RFC 9745 and RFC 8594. */
function deprecationReader(
  onDeprecated: (deprecated: Deprecated) => void,
  operation: string,
  { protocol }: Transport,
): (headers: HeaderReader) => void {
  return (headers) => {
    const [since, sunset] = [headers.get('deprecation'), headers.get('sunset')]
    if (since === null && sunset === null) return
    onDeprecated({
      operation,
      protocol,
      since: /^@[1-9]\d*$/.test(since ?? '') ? new Date(Number(since?.slice(1)) * 1000) : undefined,
      sunset: Number.isNaN(Date.parse(sunset ?? '')) ? undefined : new Date(sunset ?? ''),
      successor: headers.get('api-successor-version') ?? undefined,
    })
  }
}

/** The longest delay of a timer in milliseconds; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1

function checkedTimeout(timeout: number): number {
  if (!(timeout >= 0)) throw new RangeError(`The timeout must be 0 or more milliseconds: ${timeout}`)
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
