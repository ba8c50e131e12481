import { responseOf } from '../../contract/catalogue.js'
import type { Contract } from '../../contract/contract.js'
import type { Adapter, Conversion } from '../adapter.js'
import type { ErrorMapping } from './error-body.js'

/** How one version makes its error bodies. */
export interface VersionErrors {
  readonly mapping: ErrorMapping<unknown>
  /** Whether an adapter converts the bodies of an operation, of this step or of a later one. */
  converts(operation: string): boolean
}

/** The option `errors` of the newest version, or of one whose adapters convert no bodies. */
export function ownErrors(mapping: ErrorMapping<unknown>): VersionErrors {
  return { mapping, converts: () => false }
}

/**
 * The option `errors` of an older version. Where an adapter converts the bodies of an operation, the next version makes
 * them first. Else the service's option makes the body that this version declares.
 *
 * @param option as the service gives it
 */
export function adaptedErrors(
  next: Contract,
  adapter: Adapter,
  option: ErrorMapping<unknown>,
  nextErrors: VersionErrors,
): VersionErrors {
  const converts = (operation: string): boolean => {
    const entry = conversionOf(adapter, operation)
    return entry !== undefined && (entry.error !== undefined || nextErrors.converts(entry.to ?? operation))
  }
  const mapping: ErrorMapping<unknown> = (problem, declared) => {
    if (declared === undefined || !converts(declared.operation)) return option(problem, declared)
    const { to: operation = declared.operation, error = same } =
      conversionOf(adapter, declared.operation) ?? {}
    const failures = next.operations[operation]?.failures ?? {}
    const response = responseOf((key) => Object.hasOwn(failures, key), problem.status)
    const binding = response !== undefined && failures[response]
    if (response === undefined || binding === undefined || binding === false) return option(problem, declared)
    const body = nextErrors.mapping(problem, { operation, response, schema: binding.schema })
    return body === undefined ? undefined : error(body as never, declared.response)
  }
  return { mapping, converts }
}

const same = (body: unknown): unknown => body

/** Undefined: the operation has a handler of its own, or is refused. */
function conversionOf(adapter: Adapter, name: string): Conversion | undefined {
  const entry = Object.hasOwn(adapter, name) ? adapter[name] : undefined
  if (entry === undefined || entry === 'identity') return {}
  return 'handle' in entry || 'gone' in entry ? undefined : entry
}
