import type { Contract, OperationValidators } from '../contract/contract.js'
import type { Operation } from '../contract/operation.js'
import { jsonText } from '../values/json-text.js'
import type { Context } from './api.js'
import type { Alternative } from './authenticate.js'
import { alternativesOf, isSecured } from './authenticate.js'

/** An operation made ready to be called: everything that does not depend on the call is worked out. */
export interface Procedure {
  readonly operation: Operation
  readonly validators: OperationValidators
  /** Undefined: nobody has written it, and calls answer `not_implemented`. */
  readonly handle: Handle | undefined
  readonly alternatives: readonly Alternative[]
  readonly secured: boolean
  /** JSON text of a result. Throws what JSON.stringify throws: cycles, and BigInt unless the operation has int64 integers as such. */
  readonly stringify: (result: unknown) => string
}

type Handle = (params: unknown, context: Context<unknown>) => unknown

/** Procedures of a contract by operation name. Throws an Error for a contract or handlers that can't work. */
export function proceduresOf(contract: Contract, handlers: unknown): ReadonlyMap<string, Procedure> {
  const alternatives = alternativesOf(contract)
  const procedures = new Map<string, Procedure>()
  for (const operation of Object.values(contract.operations)) {
    const { name } = operation
    const validators = Object.hasOwn(contract.validators, name) ? contract.validators[name] : undefined
    if (validators === undefined)
      throw new Error(`The contract has no validators for the operation ${name}. Generate and build again.`)
    procedures.set(name, {
      operation,
      validators,
      handle: handlerOf(handlers, name),
      alternatives: alternatives(operation),
      secured: isSecured(operation),
      stringify: operation.int64 === undefined ? JSON.stringify : jsonText,
    })
  }
  return procedures
}

/** Handlers stand by namespace: the name without its last part, `default` where there is none. */
function handlerOf(handlers: unknown, name: string): Handle | undefined {
  const dot = name.lastIndexOf('.')
  const group = memberOf(handlers, dot === -1 ? 'default' : name.slice(0, dot))
  const handler = memberOf(group, name.slice(dot + 1))
  return typeof handler === 'function'
    ? (params, context) => Reflect.apply(handler, group, [params, context])
    : undefined
}

/** A member of an object or of its class, none of those that every object has. */
function memberOf(owner: unknown, name: string): unknown {
  if (typeof owner !== 'object' || owner === null) return undefined
  const member: unknown = Reflect.get(owner, name)
  if (Object.hasOwn(owner, name)) return member
  return inherited.has(name) || member === Reflect.get(Object.prototype, name) ? undefined : member
}

/** Every object inherits its own of these, so comparing with Object.prototype does not show them. */
const inherited: ReadonlySet<string> = new Set(['constructor', '__proto__'])
