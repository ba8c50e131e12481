import type { Operation } from '../model/model.js'

/** Handlers that all do the same: by namespace, then by member, as the runtime looks for them. */
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
