import { responseOf } from '../../contract/catalogue.js'
import type { Contract } from '../../contract/contract.js'
import type { Adapter, Conversion } from '../adapter.js'
import type { ErrorMapping } from './error-body.js'

/**
 * The option `errors` of an older version. Where its adapter converts error bodies, the mapping of the next version makes
 * them first.
 *
 * @param mapping the option as the service gives it
 * @param nextMapping that of the next version
 */
export function adaptedErrors(
  next: Contract,
  adapter: Adapter,
  mapping: ErrorMapping<unknown>,
  nextMapping: ErrorMapping<unknown>,
): ErrorMapping<unknown> {
  return (problem, declared) => {
    const entry = conversionOf(adapter, declared?.operation ?? '')
    if (declared === undefined || entry?.error === undefined) return mapping(problem, declared)
    const operation = entry.to ?? declared.operation
    const failures = next.operations[operation]?.failures ?? {}
    const response = responseOf((key) => Object.hasOwn(failures, key), problem.status)
    const binding = response !== undefined && failures[response]
    if (response === undefined || binding === undefined || binding === false)
      return mapping(problem, declared)
    const body = nextMapping(problem, { operation, response, schema: binding.schema })
    return body === undefined ? undefined : entry.error(body as never, declared.response)
  }
}

function conversionOf(adapter: Adapter, name: string): Conversion | undefined {
  const entry = Object.hasOwn(adapter, name) ? adapter[name] : undefined
  return entry === undefined || entry === 'identity' || 'handle' in entry || 'gone' in entry
    ? undefined
    : entry
}
