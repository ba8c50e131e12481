import type { Contract } from '../contract/contract.js'
import { type Logger, loggerOf } from '../contract/logger.js'
import type { Limits } from './api/limits.js'
import type { ApiOptions } from './api/options.js'
import type { Procedure } from './procedure.js'

/** The options that are checked here; types do not bind JavaScript. */
interface Options {
  readonly handlers: unknown
  readonly limits?: object | undefined
  readonly logger?: Logger | false | undefined
}

/** Throws an Error for options that no api can be created from. */
export function checkOptions(options: Options | undefined): void {
  if (typeof options !== 'object' || options === null || !isGroup(options.handlers))
    throw new Error('createApi needs an object with your handlers: createApi({ handlers })')
  const { logger } = options
  if (logger === undefined || logger === false) return
  if (typeof logger?.error === 'function' && typeof logger.warn === 'function') return
  throw new Error(
    'createApi needs a logger with the functions error and warn, such as pino or console, or false',
  )
}

/** Logs one warning each for options that do not exist and for operations without a handler. */
export function warnOfOptions(
  options: Options,
  contract: Contract,
  procedures: ReadonlyMap<string, Procedure>,
): void {
  const logger = loggerOf(options.logger)
  const unknown = [
    ...Object.keys(options).filter((name) => !Object.hasOwn(optionNames, name)),
    ...Object.keys(options.limits ?? {})
      .filter((name) => !Object.hasOwn(limitNames, name))
      .map((name) => `limits.${name}`),
  ]
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
      return [`${namespace} is no namespace`]
    if (!isGroup(group)) return [`${namespace} is no object`]
    return Object.entries(group).flatMap(([member, handler]) => {
      const name = `${namespace}.${member}`
      if (names.has(name)) return typeof handler === 'function' ? [] : [`${name} is no function`]
      return typeof handler === 'function' ? [`${name} is no operation`] : []
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

const optionNames: Record<keyof ApiOptions<unknown, unknown>, true> = {
  acceptParsedBodies: true,
  around: true,
  authenticate: true,
  basePath: true,
  errors: true,
  handlers: true,
  limits: true,
  logger: true,
  mcp: true,
  onCall: true,
  openrpc: true,
  scopes: true,
  shadow: true,
  systemTimezone: true,
  timezone: true,
  validateResponses: true,
  work: true,
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
