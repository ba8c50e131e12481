import type { OperationValidators } from './contract.js'
import type { Operation } from './operation.js'
import type { Problem } from './problem.js'
import { violationsOf } from './violations.js'

/** What the document says of the error that a problem is answered as. */
export interface DeclaredError {
  /** Name of the operation. */
  readonly operation: string
  /** The response that the body is declared for: `404`, `4XX` or `default`. */
  readonly response: string
  /** The component schema that the body is; undefined where it is none. */
  readonly schema: string | undefined
}

/**
 * Turns a problem into the body that the document declares for it; undefined for the problem itself. `declared` is
 * undefined where the document declares no body: an unknown path, a status that the operation does not list.
 */
export type ErrorMapping<Body> = (problem: Problem, declared: DeclaredError | undefined) => Body | undefined

/** An error body as it is sent, over REST alone or as `error.data`. */
export interface WrittenErrorBody {
  readonly type: string
  readonly text: string
}

/** An operation, and what validates its error bodies. */
interface Declaring {
  readonly operation: Operation
  readonly validators: OperationValidators
}

/**
 * The body that a mapping makes of a problem; undefined where it makes none.
 *
 * @param declaring undefined for what reached no operation
 * @throws what the mapping and JSON.stringify throw, and an Error for a body that the document does not allow
 */
export function writtenErrorBody(
  mapping: ErrorMapping<unknown>,
  problem: Problem,
  declaring: Declaring | undefined,
): WrittenErrorBody | undefined {
  const response = declaring && responseOf(declaring.operation, problem.status)
  if (declaring === undefined || response === undefined) return written(mapping(problem, undefined))
  const { operation, validators } = declaring
  const binding = operation.failures?.[response] ?? false
  if (binding === false) return undefined
  const { type, schema } = binding
  const body = mapping(problem, { operation: operation.name, response, schema })
  if (body === undefined) return undefined
  const validator = validators.errors?.[response]
  if (validator?.(body) === false) {
    const [first] = violationsOf(validator, [])
    throw new Error(
      `The body that errors gave for ${response} of ${operation.name} is invalid: ${first?.path ?? ''} ${first?.message ?? ''}`,
    )
  }
  return written(body, type)
}

/** A status goes before its range, and that before `default` (OpenAPI 3.1, Responses Object). */
function responseOf({ failures }: Operation, status: number): string | undefined {
  if (failures === undefined) return undefined
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) =>
    Object.hasOwn(failures, key),
  )
}

function written(body: unknown, type = 'application/json'): WrittenErrorBody | undefined {
  return body === undefined ? undefined : { type, text: JSON.stringify(body) }
}
