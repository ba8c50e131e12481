import type { Contract, OperationValidators } from '../contract/contract.js'
import type { Operation } from '../contract/operation.js'
import { jsonText } from '../values/json-text.js'
import type { Context } from './api/context.js'
import type { Alternative } from './authenticate.js'
import { alternativesOf, isSecured } from './authenticate.js'

/** An operation prepared for calls: everything that does not depend on the call is precomputed. */
export interface Procedure {
  readonly operation: Operation
  readonly validators: OperationValidators
  /** Undefined: the operation has no handler, and calls fail with `not_implemented`. */
  readonly handle: Handle | undefined
  readonly alternatives: readonly Alternative[]
  readonly secured: boolean
  /**
   * JSON text of a result. Throws what JSON.stringify throws: for cycles, and for BigInt unless the operation
   * has bigint integers.
   */
  readonly stringify: (result: unknown) => string
  /** Absent: the handler is its own version's. */
  readonly origin?: HandlerOrigin
}

/** Of a handler that serves an operation of another version. */
export interface HandlerOrigin {
  /** The version of the operation. */
  readonly version: string
  /** The version of the handler, or the adapter that has it. */
  readonly handledBy: string
}

type Handle = (params: unknown, context: Context<unknown>) => unknown

/**
 * Procedures of a contract by operation name. Throws an Error for an invalid contract or handlers.
 *
 * @param origins of handlers of other versions, by operation name
 */
export function proceduresOf(
  contract: Contract,
  handlers: unknown,
  origins?: ReadonlyMap<string, HandlerOrigin>,
): ReadonlyMap<string, Procedure> {
  const alternatives = alternativesOf(contract)
  const procedures = new Map<string, Procedure>()
  for (const operation of Object.values(contract.operations)) {
    const { name } = operation
    const validators = Object.hasOwn(contract.validators, name) ? contract.validators[name] : undefined
    if (validators === undefined)
      throw new Error(`The contract has no validators for the operation ${name}. Generate and build again.`)
    const origin = origins?.get(name)
    procedures.set(name, {
      operation,
      validators,
      handle: handlerOf(handlers, name),
      alternatives: alternatives(operation),
      secured: isSecured(operation),
      stringify: operation.int64 === undefined ? JSON.stringify : jsonText,
      ...(origin !== undefined && { origin }),
    })
  }
  return procedures
}

/** Handlers are grouped by namespace: the operation's name without its last part, `default` without a dot. */
function handlerOf(handlers: unknown, name: string): Handle | undefined {
  const dot = name.lastIndexOf('.')
  const group = memberOf(handlers, dot === -1 ? 'default' : name.slice(0, dot))
  const handler = memberOf(group, name.slice(dot + 1))
  return typeof handler === 'function'
    ? (params, context) => Reflect.apply(handler, group, [params, context])
    : undefined
}

/** A member of an object or of its class, but not of Object.prototype. */
function memberOf(owner: unknown, name: string): unknown {
  if (typeof owner !== 'object' || owner === null) return undefined
  const member: unknown = Reflect.get(owner, name)
  if (Object.hasOwn(owner, name)) return member
  return inherited.has(name) || member === Reflect.get(Object.prototype, name) ? undefined : member
}

/** Classes redefine these, so comparing with Object.prototype does not exclude them. */
const inherited: ReadonlySet<string> = new Set(['constructor', '__proto__'])
