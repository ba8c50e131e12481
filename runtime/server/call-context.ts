import type { HttpRequest } from '../contract/http-request.js'
import type { CallProtocol, Operation, RestBinding } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import { HandlerReply } from '../contract/reply.js'
import type { CallRequest, Context } from './api/context.js'

/** The origin of a call. */
export interface CallOrigin {
  readonly protocol: CallProtocol
  readonly requestId: string
  readonly signal: AbortSignal
  /** Undefined in process. */
  readonly request?: HttpRequest
}

/** Ends a call by its signal. */
export interface TimeLimit {
  readonly signal: AbortSignal
}

/** What a context knows and says of its call. */
interface ContextRecord<Principal> {
  readonly principal: Principal | undefined
  readonly state: unknown
  /** The caller that the handler has named. */
  identified: Principal | undefined
}

/** What a handler receives with its params. A copy loses its getters. */
export class CallContext<Principal> implements Context<Principal | undefined> {
  readonly principal: Principal | undefined
  readonly state: unknown
  readonly operation: string
  readonly timezone: string
  readonly protocol: CallProtocol
  readonly requestId: string
  readonly #record: ContextRecord<Principal>
  readonly #caller: CallOrigin
  readonly #rest: RestBinding
  readonly #limits: readonly TimeLimit[]
  /** The handler's reply; undefined until the handler asks for it. */
  usedReply: HandlerReply | undefined

  constructor(
    record: ContextRecord<Principal>,
    { name, rest }: Operation,
    timezone: string,
    caller: CallOrigin,
    limits: readonly TimeLimit[],
  ) {
    this.#limits = limits
    this.#record = record
    this.principal = record.principal
    this.state = record.state
    this.operation = name
    this.timezone = timezone
    this.protocol = caller.protocol
    this.requestId = caller.requestId
    this.#caller = caller
    this.#rest = rest
  }

  /** The same call for the handler of another version's operation, with a reply of its own. */
  of(operation: Operation): CallContext<Principal> {
    return new CallContext(this.#record, operation, this.timezone, this.#caller, this.#limits)
  }

  /** Takes over what the handler of another version replied. */
  adopt({ usedReply }: CallContext<Principal>): void {
    if (usedReply !== undefined) this.reply.adopt(usedReply)
  }

  identify(principal: NonNullable<Principal>): void {
    this.#record.identified = principal
  }

  problem<Code extends string>(code: Code, detail?: string, members?: object): ProblemError<Code> {
    return new ProblemError(code, { detail, members })
  }

  get reply(): HandlerReply {
    this.usedReply ??= new HandlerReply(this.#rest.statuses ?? [this.#rest.status])
    return this.usedReply
  }

  get request(): CallRequest | undefined {
    const { request } = this.#caller
    if (request === undefined) return undefined
    const { method = '', headers, socket } = request
    return { method, headers, address: socket.remoteAddress }
  }

  /** Created on access, since few handlers read it. */
  get signal(): AbortSignal {
    const { signal } = this.#caller
    return this.#limits.length === 0
      ? signal
      : AbortSignal.any([signal, ...this.#limits.map((limit) => limit.signal)])
  }
}
