import type { Operation } from '../model/model.js'

/** The same handler for every operation: by namespace, then by member, as the runtime looks them up. */
export function handlersOf(
  operations: readonly Operation[],
  handle: (operation: Operation, params: unknown) => unknown,
): object {
  const handlers: Record<string, Record<string, unknown>> = Object.create(null)
  for (const operation of operations) {
    const group = handlers[operation.namespace] ?? Object.create(null)
    group[operation.member] = (params: unknown) => handle(operation, params)
    handlers[operation.namespace] = group
  }
  return handlers
}
