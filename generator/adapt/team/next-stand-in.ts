import type { Json } from '../../document/document.js'
import { clone } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import type { Adaptation } from '../adaptation.js'
import type { Attacker } from '../attack.js'
import { hasOtherForms } from '../plan/unseen.js'

export const otherForms = 'its code has values that JSON does not have'

export function isStreamed({ pieces, rest: { answers = [] } }: Operation): boolean {
  return pieces !== undefined || answers.some(({ kind }) => kind !== 'json')
}

/** Represents the next version: it checks params, and answers samples. */
export class NextStandIn {
  fault: string | undefined
  unknown: string | undefined
  #calls = 0
  readonly #results = new Map<Operation, readonly Json[]>()

  constructor(
    readonly adaptation: Adaptation,
    readonly attacker: Attacker,
  ) {}

  begin(): void {
    this.fault = undefined
    this.unknown = undefined
    this.#calls = 0
  }

  readonly call = async (to: string, params: unknown): Promise<unknown> => {
    const { next } = this.adaptation
    const operation = next.operations.find(({ name }) => name === to)
    if (operation === undefined) return this.#refuse(`calls ${to}, which ${next.version} does not have`)
    if (hasOtherForms(next, operation.params) || hasOtherForms(next, operation.result))
      return this.#giveUp(otherForms)
    if (isStreamed(operation)) return this.#giveUp(`${to} answers more than one JSON value`)
    if (this.#calls >= mostCalls) return this.#giveUp(`it sends more than ${mostCalls} calls`)
    const refusal = this.attacker.refusal('params', operation, operation, (params ?? {}) as Json)
    if (refusal !== undefined) return this.#refuse(`calls ${to} with what ${refusal}`)
    const results = this.#results.get(operation) ?? this.attacker.cases('result', operation, operation)
    this.#results.set(operation, results)
    if (results.length === 0) return this.#giveUp(`no result of ${to} was found`)
    return clone(results[this.#calls++ % results.length] ?? null)
  }

  #refuse(fault: string): never {
    this.fault ??= fault
    throw new Error(fault)
  }

  #giveUp(reason: string): never {
    this.unknown ??= reason
    throw new Error(reason)
  }
}

const mostCalls = 1000
