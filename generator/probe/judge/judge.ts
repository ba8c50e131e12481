import type { Validator } from 'duet-runtime'
import type { Model, Operation } from '../../model/model.js'
import type { LazyValidators } from '../../validators/lazy-validators.js'
import type { Case } from '../cases/case.js'
import type { TargetResponse } from '../target.js'
import type { Declarations } from './declarations.js'
import { mayBeLong } from './exact.js'
import type { Fault } from './fault.js'
import { callFaults } from './judge-call.js'
import { mcpFaults } from './judge-mcp.js'
import { restFaults } from './judge-rest.js'
import { rpcFaults } from './judge-rpc.js'
import type { Outcome } from './outcome.js'

/** Says what an outcome contradicts. */
export interface Judge {
  faults(operation: Operation, one: Case, outcome: Outcome): Fault[] | Promise<Fault[]>
  /** Whether the answers of two protocols to one call must agree. */
  readonly comparesProtocols: boolean
}

/** Compares outcomes with the document of the server. */
export class DocumentJudge implements Judge {
  readonly comparesProtocols = true

  constructor(
    readonly model: Model,
    readonly declarations: Declarations,
    readonly validators: LazyValidators,
  ) {}

  faults(operation: Operation, one: Case, outcome: Outcome): Fault[] {
    const { model, declarations } = this
    const { answer } = outcome
    const ofAnswer = {
      rest: () => restFaults(model, declarations, operation, one.what, answer),
      jsonrpc: () =>
        rpcFaults(model, declarations, operation, this.#result(operation, answer), one.what, answer),
      mcp: () => mcpFaults(model, declarations, operation, this.#result(operation, answer), one.what, answer),
    }
    return [...ofAnswer[outcome.protocol](), ...callFaults(declarations, operation, one, outcome)]
  }

  #result(operation: Operation, { body }: TargetResponse): Validator {
    const exact = mayBeLong(body) ? this.declarations.exactResultOf(operation) : undefined
    return exact ?? this.validators.of(operation).result
  }
}
