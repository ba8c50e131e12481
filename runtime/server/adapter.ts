import { type BuiltInErrorCode, builtInErrors, type ErrorCatalogue } from '../contract/catalogue.js'
import type { Contract } from '../contract/contract.js'
import { exactInt64, nativeInt64 } from '../contract/int64.js'
import type { Operation } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { Violation } from '../contract/problem-details.js'
import { violationsOf } from '../contract/violations.js'
import { type Eventual, eventual } from '../values/eventual.js'
import type { Context } from './api/context.js'
import { CallContext } from './call-context.js'
import { inUtc } from './checked-params.js'
import type { HandlerOrigin, Procedure } from './procedure.js'
import { isPieces } from './result/media-result.js'

/**
 * How the operations of one version are served by those of the next one, by the names of the older version.
 * An operation without an entry has the same name, params and result in both.
 */
export type Adapter = { readonly [operation: string]: OperationAdapter }

export type OperationAdapter = 'identity' | Conversion | Replacement | Refusal

/** One call of the older version becomes one call of the next version. */
export interface Conversion<Params = never, NextParams = unknown, NextResult = never, Result = unknown> {
  /** Operation of the next version. Absent: the one with the same name. */
  readonly to?: string
  /** Turns params into those of the next version, which validates them and fills in its defaults. */
  params?(params: Params, context: Context<unknown>): Eventual<NextParams>
  /** Turns a result of the next version back. */
  result?(result: NextResult, context: Context<unknown>): Eventual<Result>
  /** Turns each piece of a stream back. */
  piece?(piece: NextResult): Eventual<unknown>
  /**
   * Turns an error body that the option `errors` has made for the next version back, if both documents declare bodies of
   * their own.
   *
   * @param response key of the older version's response: `404`, `4XX` or `default`
   */
  error?(error: never, response: string): unknown
  /** Problem codes of the next version, with those that the older version answers instead. */
  readonly problems?: Readonly<Record<string, string>>
}

/** The operation has its own handler, which may call operations of the next version. */
export interface Replacement<Params = never, Result = unknown, Call = CallNext> {
  handle(params: Params, context: Context<unknown>, call: Call): Eventual<Result>
}

/** No version after this one has the operation: every call fails with a problem. */
export interface Refusal {
  /** Code of the older version's error catalogue. */
  readonly gone: string
  readonly detail?: string
}

/**
 * Calls an operation of the next version for the same caller.
 *
 * @returns its result as its handler returns it
 */
export type CallNext = Calls['next']

interface Calls {
  // A method, so that calls typed by the operations of a version fit.
  next(operation: string, params: unknown): Promise<unknown>
}

/** Two neighbouring versions. */
interface Neighbours {
  readonly older: Contract
  readonly next: Contract
  /** The procedures of the next version. */
  readonly procedures: ReadonlyMap<string, Procedure>
}

/**
 * Handlers of the older version, by namespace and member, that call those of the next one.
 *
 * @throws Error for an operation without a counterpart in the next version, and for a problem code that the older
 *   version does not have
 */
export function adaptedHandlers(
  versions: Neighbours,
  adapter: Adapter,
): Record<string, Record<string, unknown>> {
  const { older, next } = versions
  const step = `${older.version} to ${next.version}`
  const unknown = Object.keys(adapter).find((name) => !Object.hasOwn(older.operations, name))
  if (unknown !== undefined)
    throw new Error(
      `The adapter from ${step} has an entry for ${unknown}, which ${older.version} does not have`,
    )
  const handlers: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(older.operations)) {
    const entry = Object.hasOwn(adapter, name) ? adapter[name] : undefined
    const dot = name.lastIndexOf('.')
    const namespace = dot === -1 ? 'default' : name.slice(0, dot)
    handlers[namespace] ??= {}
    const handler = handlerOf(name, entry ?? {}, versions, step)
    if (handler !== undefined) handlers[namespace][name.slice(dot + 1)] = handler
  }
  return handlers
}

/** Where the handlers of the older version's operations come from. */
export function handlerOrigins(
  { older, next, procedures }: Neighbours,
  adapter: Adapter,
): ReadonlyMap<string, HandlerOrigin> {
  const { version } = older
  const origins = new Map<string, HandlerOrigin>()
  for (const name of Object.keys(older.operations)) {
    const entry = Object.hasOwn(adapter, name) ? adapter[name] : undefined
    const isOwn = typeof entry === 'object' && ('handle' in entry || 'gone' in entry)
    const to = typeof entry === 'object' && !isOwn && 'to' in entry ? entry.to : undefined
    const { handledBy = next.version } = procedures.get(to ?? name)?.origin ?? {}
    const own = `the adapter from ${version} to ${next.version}`
    origins.set(name, { version, handledBy: isOwn ? own : handledBy })
  }
  return origins
}

type Handle = (params: unknown, context: Context<unknown>) => unknown

function handlerOf(
  name: string,
  entry: OperationAdapter,
  { older, next, procedures }: Neighbours,
  step: string,
): Handle | undefined {
  const counterpart = (to: string): Procedure => {
    const found = procedures.get(to)
    if (found === undefined)
      throw new Error(
        `${name} of ${older.version} has no counterpart ${to} in ${next.version}. The adapter from ${step} needs an ` +
          'entry for it: run duet adapt.',
      )
    return found
  }
  if (entry === 'identity') return counterpart(name).handle
  const known = (code: string): void => {
    if (Object.hasOwn(older.errors, code) || Object.hasOwn(builtInErrors, code)) return
    throw new Error(
      `The adapter from ${step} answers ${code} to ${name}, which ${older.version} does not have. Use a code of its ` +
        'error catalogue, or a built-in one.',
    )
  }
  if ('gone' in entry) {
    known(entry.gone)
    return () => {
      throw new ProblemError(entry.gone, { detail: entry.detail })
    }
  }
  const problems = olderCodes(next.errors, older.errors)
  const about: Step = { name, step, problems, hasSameDatetimes: false }
  if ('handle' in entry) {
    return (params, context) =>
      entry.handle(params as never, context, (async (to, given) =>
        called(counterpart(to), given, context, about)) as CallNext as never)
  }
  const { to = name, params: convert, result: back, piece: pieceBack } = entry
  for (const code of Object.values(entry.problems ?? {})) known(code)
  const procedure = counterpart(to)
  if (procedure.handle === undefined) return undefined
  const datetimesOf = (operation?: Operation) => JSON.stringify(operation?.datetimes.params)
  const own: Step = {
    ...about,
    problems: { ...problems, ...entry.problems },
    hasSameDatetimes: datetimesOf(older.operations[name]) === datetimesOf(procedure.operation),
  }
  const finish = (result: unknown, context: Context<unknown>): unknown => {
    if (pieceBack !== undefined && isPieces(result)) return eachPiece(own, result, pieceBack)
    return back === undefined ? result : guarded(own, back as Convert, result, context)
  }
  return (params, context) => {
    const given = convert === undefined ? params : guarded(own, convert as Convert, params, context)
    const result =
      given instanceof Promise
        ? given.then((known) => called(procedure, known, context, own))
        : called(procedure, given, context, own)
    return result instanceof Promise
      ? result.then((known) => finish(known, context))
      : finish(result, context)
  }
}

type Convert = (value: unknown, context: Context<unknown>) => unknown

/** One operation of one step between versions. */
interface Step {
  readonly name: string
  /** The two versions: `1.0.0 to 1.1.0`. */
  readonly step: string
  /** Codes of the next version, with those that the older version answers instead. */
  readonly problems: Readonly<Record<string, string>>
  /** Both versions have the same datetimes, which are in UTC already. */
  readonly hasSameDatetimes: boolean
}

/**
 * A code that the older version does not have becomes the built-in one for its status, else the only one of the older
 * document with that status, else the built-in one for its class (RFC 9110, section 15).
 */
export function olderCodes(next: ErrorCatalogue, older: ErrorCatalogue): Step['problems'] {
  const codes: Record<string, string> = {}
  for (const [code, { status }] of Object.entries(next)) {
    if (Object.hasOwn(older, code) || Object.hasOwn(builtInErrors, code)) continue
    const own = Object.keys(older).filter(
      (name) => older[name]?.status === status && !Object.hasOwn(builtInErrors, name),
    )
    const ofStatus = codesByStatus.get(status) ?? (own.length === 1 ? own[0] : undefined)
    codes[code] = ofStatus ?? (status < 500 ? 'invalid_request' : 'internal_error')
  }
  return codes
}

/** The built-in codes that a handler may mean. `adapter.test.ts` lists the others. */
export const codesByStatus: ReadonlyMap<number, BuiltInErrorCode> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [412, 'precondition_failed'],
  [429, 'rate_limited'],
  [501, 'not_implemented'],
  [503, 'unavailable'],
])

/** Calls the handler of the next version's operation with params in the handler's form. */
function called(
  procedure: Procedure,
  params: unknown,
  context: Context<unknown>,
  about: Step,
): Eventual<unknown> {
  const { operation, handle } = procedure
  if (handle === undefined) throw new ProblemError('not_implemented')
  if (!(context instanceof CallContext)) throw new Error('An adapter needs the context of a call')
  const given = validParams(procedure, params, context.timezone, about)
  const own = context.of(operation)
  try {
    const result = eventual(handle(given, own))
    if (!(result instanceof Promise)) {
      context.adopt(own)
      return result
    }
    return result.then(
      (known) => {
        context.adopt(own)
        return known
      },
      (error) => {
        throw olderProblem(error, about)
      },
    )
  } catch (error) {
    throw olderProblem(error, about)
  }
}

/** Params of the next version in the form of its handler: with its defaults, and its own datetimes in UTC. */
function validParams(
  { operation: { name, int64, datetimes }, validators }: Procedure,
  params: unknown,
  timezone: string,
  about: Step,
): unknown {
  const exact = int64 === undefined ? params : exactInt64(params, int64.as, int64.params)
  if (!validators.params(exact)) throw new AdapterError(about, name, violationsOf(validators.params, []))
  const graph = about.hasSameDatetimes ? undefined : datetimes.params
  const read = graph === undefined ? exact : inUtc(exact, graph, timezone)
  return int64 === undefined ? read : nativeInt64(read, int64.as, int64.params)
}

/** The same problem with a code of the older version. */
function olderProblem(error: unknown, { problems }: Step): unknown {
  if (!(error instanceof ProblemError)) return error
  const { code, detail, retryAfter, challenge, violations } = error
  const older = Object.hasOwn(problems, code) ? problems[code] : undefined
  if (older === undefined) return error
  return new ProblemError(older, { detail, retryAfter, challenge, violations, cause: error })
}

/** Errors of an adapter become AdapterErrors, but for the problems that it throws. */
function guarded(about: Step, convert: Convert, value: unknown, context: Context<unknown>): unknown {
  try {
    const converted = eventual(convert(value, context))
    return converted instanceof Promise
      ? converted.catch((error) => {
          throw failed(about, error)
        })
      : converted
  } catch (error) {
    throw failed(about, error)
  }
}

function failed(about: Step, error: unknown): unknown {
  return error instanceof ProblemError ? error : new AdapterError(about, undefined, [], error)
}

async function* eachPiece(
  about: Step,
  pieces: AsyncIterable<unknown>,
  convert: NonNullable<Conversion['piece']>,
): AsyncGenerator<unknown> {
  for await (const piece of pieces) {
    try {
      yield await convert(piece as never)
    } catch (error) {
      throw failed(about, error)
    }
  }
}

/** An adapter threw, or returned params that the next version does not allow. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'

  /** @param to operation of the next version whose params are invalid; undefined if the adapter threw */
  constructor({ name, step }: Step, to: string | undefined, [first]: readonly Violation[], cause?: unknown) {
    const fault =
      to === undefined ? 'failed' : `returned invalid params for ${to}: ${first?.path} ${first?.message}`
    super(`The adapter of ${name} from ${step} ${fault}`, { cause })
  }
}
