import { checkKinds, type OptionKinds } from '../contract/option-kinds.js'
import type { ClientOptions } from './client-options.js'
import type { RetryOptions } from './retry.js'
import type { Transport } from './transport.js'

/**
 * Warns on the console of options that do not exist.
 *
 * @throws TypeError for an option of another kind
 */
export function checkClientOptions(options: Partial<ClientOptions<Transport>> | undefined): void {
  const { transport, retry } = options ?? {}
  if (typeof transport?.call !== 'function')
    throw new TypeError('createClient: transport takes rest(address) or jsonrpc(address)')
  const unknown = checkKinds('createClient: ', options ?? {}, kinds)
  if (retry)
    unknown.push(...checkKinds('createClient: retry.', retry, retryKinds).map((name) => `retry.${name}`))
  if (unknown.length > 0) console.warn(`createClient has no option ${unknown.join(', ')}`)
}

const kinds: OptionKinds<ClientOptions<Transport>> = {
  around: 'a function',
  auth: 'anything',
  headers: 'an object',
  onDeprecated: 'a function',
  retry: 'an object or false',
  timeout: 'a number of at least 0',
  timezone: 'a text',
  transport: 'anything',
  versionHeader: 'a text or false',
}

const retryKinds: OptionKinds<RetryOptions> = {
  baseDelay: 'a number of at least 0',
  maxDelay: 'a number of at least 0',
  maxRetryAfter: 'a number of at least 0',
  retries: 'a number of at least 0',
}
