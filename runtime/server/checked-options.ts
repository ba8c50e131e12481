import type { Contract } from '../contract/contract.js'
import { type Logger, loggerOf } from '../contract/logger.js'
import { checkKinds, type OptionKinds } from '../contract/option-kinds.js'
import type { Limits } from './api/limits.js'
import type { ApiOptions, McpOptions } from './api/options.js'
import type { Procedure } from './procedure.js'

/** The options that are checked here; types do not bind JavaScript. */
interface Options {
  readonly handlers: unknown
  readonly limits?: object | undefined
  readonly logger?: Logger | false | undefined
  readonly mcp?: object | undefined
}

/**
 * Checks the kind of each option.
 *
 * @returns the names of options that do not exist
 * @throws Error for options that no api can be created from
 */
export function checkOptions(options: Options | undefined): string[] {
  if (typeof options !== 'object' || options === null || !isGroup(options.handlers))
    throw new Error('createApi needs an object with your handlers: createApi({ handlers })')
  const { logger } = options
  const isLogger = logger && typeof logger.error === 'function' && typeof logger.warn === 'function'
  if (logger !== undefined && logger !== false && !isLogger)
    throw new Error(
      'createApi needs a logger with the functions error and warn, such as pino or console, or false',
    )
  const unknown = [
    ...checkKinds('createApi: ', options, kinds),
    ...Object.keys(options.limits ?? {})
      .filter((name) => !Object.hasOwn(limitNames, name))
      .map((name) => `limits.${name}`),
    ...checkKinds('createApi: mcp.', options.mcp ?? {}, mcpKinds).map((name) => `mcp.${name}`),
  ]
  checkAddresses(options.mcp ?? {})
  return unknown
}

/** @throws TypeError for an address that no request could have, or no client could ask */
function checkAddresses({ url, origins = [], authorizationServers = [] }: McpOptions): void {
  const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (![url ?? WEB, ...authorizationServers].every(isWeb))
    throw new TypeError(`createApi: mcp.url and mcp.authorizationServers take addresses such as ${WEB}/mcp`)
  // Browsers send an origin in lower case, without a path. `URL` knows none of an extension, which has a scheme of its own.
  const isOrigin = (text: string) =>
    isWeb(text) ? new URL(text).origin === text : /^[a-z][a-z0-9+.-]*:\/\/[^/]+$/.test(text)
  if (!origins.every(isOrigin)) throw new TypeError(`createApi: mcp.origins takes origins such as ${WEB}`)
}

const WEB = 'https://api.example.com'

/**
 * Logs one warning each for options that do not exist and for operations without a handler.
 *
 * @param unknown names of options that do not exist
 */
export function warnOfOptions(
  options: Options,
  unknown: readonly string[],
  contract: Contract,
  procedures: ReadonlyMap<string, Procedure>,
): void {
  const logger = loggerOf(options.logger)
  if (unknown.length > 0) warn(logger, `createApi has no option ${listed(unknown)}`)
  const missing = [...procedures.values()].filter(({ handle }) => handle === undefined)
  if (missing.length === 0) return
  const names = missing.map(({ operation }) => operation.name)
  // Handlers may serve several versions, so a name without an operation is a mistake only if another has no handler.
  const strange = strangeHandlers(options.handlers, contract)
  const hint = strange.length === 0 ? '' : ` ${listed(strange)}.`
  warn(logger, `No handler for ${listed(names)}: calls answer not_implemented.${hint}`)
}

/** Warns once of a number that a body parser may have rounded: callers cannot do anything about it. */
export function warnOfRoundedNumbers(option: Options['logger']): () => void {
  const logger = loggerOf(option)
  let hasWarned = false
  return () => {
    if (hasWarned) return
    hasWarned = true
    warn(
      logger,
      'A body parser may have rounded a number of more than 15 digits, so the call was refused. Mount the api before the parser, or give it verify: keepRawBody.',
    )
  }
}

function warn(logger: Logger | undefined, message: string): void {
  try {
    logger?.warn({}, message)
  } catch {}
}

/** What handlers have instead of an operation's function: a misspelt name, or another value. */
function strangeHandlers(handlers: unknown, { operations }: Contract): string[] {
  const names = new Set(
    Object.values(operations).map(({ name }) => (name.includes('.') ? name : `default.${name}`)),
  )
  const groups = Object.entries(handlers as object)
  return groups.flatMap(([namespace, group]) => {
    if (![...names].some((name) => name.slice(0, name.lastIndexOf('.')) === namespace))
      return [`${namespace} is not a namespace`]
    if (!isGroup(group)) return [`${namespace} is not an object`]
    return Object.entries(group).flatMap(([member, handler]) => {
      const name = `${namespace}.${member}`
      if (names.has(name)) return typeof handler === 'function' ? [] : [`${name} is not a function`]
      return typeof handler === 'function' ? [`${name} is not an operation`] : []
    })
  })
}

function isGroup(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
}

/** The first three of a list. */
function listed(texts: readonly string[]): string {
  const first = texts.slice(0, 3).join(', ')
  return texts.length > 3 ? `${first} and ${texts.length - 3} more` : first
}

const kinds: OptionKinds<ApiOptions<unknown, unknown>> = {
  acceptParsedBodies: 'true or false',
  around: 'a function',
  authenticate: 'a function',
  basePath: 'a text',
  errors: 'a function',
  handlers: 'anything',
  limits: 'an object',
  logger: 'anything',
  mcp: 'an object',
  onCall: 'a function',
  openrpc: 'an object',
  scopes: 'a function',
  shadow: 'an object',
  systemTimezone: 'a text',
  timezone: 'a function',
  validateResponses: 'true or false',
  work: 'an object',
}

const mcpKinds: OptionKinds<McpOptions> = {
  authorizationServers: 'a list of texts',
  origins: 'a list of texts',
  url: 'a text',
}

const limitNames: Record<keyof Limits, true> = {
  streamIdleMs: true,
  streamKeepAliveMs: true,
  streamMs: true,
  streamStallMs: true,
  anonymousBodyBytes: true,
  answerBytes: true,
  batchLength: true,
  batchParallel: true,
  bodyBytes: true,
  bodyParts: true,
  bodyValues: true,
  callMs: true,
}
