import { responseOf } from '../../contract/catalogue.js'
import type { OperationValidators } from '../../contract/contract.js'
import { exactInt64 } from '../../contract/int64.js'
import type { Logger } from '../../contract/logger.js'
import type { Operation } from '../../contract/operation.js'
import type { Problem } from '../../contract/problem-details.js'
import { violationsOf } from '../../contract/violations.js'
import { jsonText } from '../../values/json-text.js'

/** The response that the document declares for an error. */
export interface DeclaredError {
  /** Name of the operation. */
  readonly operation: string
  /** Key of the response: `404`, `4XX` or `default`. */
  readonly response: string
  /** Name of the body's component schema. Undefined if it has an inline schema. */
  readonly schema: string | undefined
}

/**
 * Turns a problem into the body that the document declares, or returns undefined to answer the problem. `declared` is
 * undefined if the document declares no body, as for an unknown path.
 */
export type ErrorMapping<Body> = (problem: Problem, declared: DeclaredError | undefined) => Body | undefined

/** An error body as text: REST sends it, JSON-RPC has it in `error.data`. */
export interface WrittenErrorBody {
  readonly type: string
  readonly text: string
}

/** An operation, and the validators of its error bodies. */
interface Declaring {
  readonly operation: Operation
  readonly validators: OperationValidators
}

/** Warns once if operations declare error bodies, for an api without the option `errors`. */
export function warnOfUnmappedBodies(operations: Iterable<Operation>, logger: Logger | undefined): void {
  const declaring = Array.from(operations).filter(({ failures = {} }) =>
    Object.values(failures).some(Boolean),
  )
  const [first] = declaring
  if (first === undefined) return
  const others = declaring.length === 1 ? '' : ` and ${declaring.length - 1} more`
  const message = `The document declares error bodies for ${first.name}${others}, but callers receive problem+json: give createApi the option errors`
  try {
    logger?.warn({ operation: first.name }, message)
  } catch {}
}

/**
 * The body that a mapping returns for a problem, as JSON text. Undefined to answer the problem.
 *
 * @param declaring undefined if the request reached no operation
 * @throws what the mapping and JSON.stringify throw; an Error if the declared schema refuses the body
 */
export function writtenErrorBody(
  mapping: ErrorMapping<unknown>,
  problem: Problem,
  declaring: Declaring | undefined,
): WrittenErrorBody | undefined {
  const failures = declaring?.operation.failures ?? {}
  const response = responseOf((key) => Object.hasOwn(failures, key), problem.status)
  if (declaring === undefined || response === undefined) return written(mapping(problem, undefined))
  const { operation, validators } = declaring
  const binding = failures[response] ?? false
  if (binding === false) return undefined
  const { type, schema } = binding
  const given = mapping(problem, { operation: operation.name, response, schema })
  if (given === undefined) return undefined
  const { int64 } = operation
  const body = int64 === undefined ? given : exactInt64(given, int64.as, int64.failures?.[response])
  const validator = validators.errors?.[response]
  if (validator?.(body) === false) {
    const [first] = violationsOf(validator, [])
    throw new Error(
      `The body that errors returned for ${response} of ${operation.name} is invalid: ${first?.path ?? ''} ${first?.message ?? ''}`,
    )
  }
  return written(body, type)
}

function written(body: unknown, type = 'application/json'): WrittenErrorBody | undefined {
  return body === undefined ? undefined : { type, text: jsonText(body) }
}
