import type { Protocol } from 'duet-runtime'
import { isJson } from '../diff/facts/parts/media.js'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import type { JsonObject } from '../document/document.js'
import { clone, parsed } from '../document/json.js'
import type { Operation } from '../model/model.js'
import type { LazyValidators } from '../validators/lazy-validators.js'
import { brokenBodies, otherMethods } from './cases/broken-requests.js'
import type { Case } from './cases/case.js'
import type { Declarations } from './judge/declarations.js'
import { type Fault, faultsAt } from './judge/fault.js'
import type { Judge } from './judge/judge.js'
import { brokenFaults } from './judge/judge-call.js'
import { type Outcome, outcomeOf } from './judge/outcome.js'
import { parityFaults } from './judge/parity.js'
import { deepest, levelsOf } from './levels.js'
import { safety } from './safety.js'
import type { Authentication } from './secrets.js'
import type { ProbeOptions, Surroundings } from './surroundings.js'
import type { NoResponse, TargetResponse } from './target.js'
import { Wire } from './wire.js'

/** One case over every protocol. */
export interface Sent {
  readonly outcomes: readonly Outcome[]
  /** Why a protocol cannot carry it. */
  readonly reasons: readonly string[]
}

/** Sends cases over every protocol that the server speaks, and judges the answers. */
export class Caller {
  readonly #wire: Wire
  /** Paths to which other methods were sent. */
  readonly #paths = new Set<string>()

  constructor(
    readonly around: Surroundings,
    readonly declarations: Declarations,
    readonly validators: LazyValidators,
    readonly judge: Judge,
    readonly options: Pick<ProbeOptions, 'slowMs' | 'shapes'>,
  ) {
    this.#wire = new Wire(around.model, around.places)
  }

  async call(operation: Operation, one: Case): Promise<Sent> {
    const authentication = this.around.secrets.of(operation)
    return this.#call(operation, one, authentication)
  }

  /** The same call without credentials. */
  async callWithout(operation: Operation, params: JsonObject): Promise<void> {
    await this.#call(operation, { kind: 'anonymous', params, what: 'without a credential' }, undefined)
  }

  async #call(operation: Operation, one: Case, authentication: Authentication | undefined): Promise<Sent> {
    const reasons: string[] = []
    const request = await this.#wire.rest(operation, one.params)
    const rest =
      typeof request === 'string' ? undefined : await this.#overRest(operation, one, request, authentication)
    if (typeof request === 'string') reasons.push(request)
    const outcomes = rest === undefined ? [] : [rest]
    const isComparable = safety(operation) === 'safe' || one.kind === 'invalid'
    for (const { protocol, request, params, isAltered } of this.#wire.asJson(operation, one.params)) {
      const isInvalid = one.kind === 'invalid'
      if ((isInvalid || isAltered) && this.#isAccepted(operation, params) === isInvalid) continue
      const { isEdge: _, ...sample } = one
      const outcome = await this.#send(operation, isAltered ? sample : one, protocol, request, authentication)
      if (outcome === undefined) continue
      const [first] = outcomes
      if (this.judge.comparesProtocols && first !== undefined && isComparable && !isAltered) {
        const again = () => this.#exchanged(operation, first.protocol, first.request, authentication)
        const faults = await parityFaults(this.declarations, operation, one, first, outcome, again)
        this.#report(operation, faults, protocol, request, outcome.answer, authentication)
      }
      outcomes.push(outcome)
    }
    return { outcomes, reasons }
  }

  /**
   * Requests that no params describe: with a broken body, and with methods that the path does not have.
   *
   * @param params valid ones
   * @param isUnsafe whether to send other methods
   */
  async callBroken(operation: Operation, params: JsonObject, isUnsafe: boolean): Promise<void> {
    const request = await this.#wire.rest(operation, params)
    if (typeof request === 'string') return
    const isNew = isUnsafe && !this.#paths.has(operation.rest.path)
    this.#paths.add(operation.rest.path)
    const authentication = this.around.secrets.of(operation)
    for (const one of [
      ...brokenBodies(operation, request, this.declarations.bodyTypes(operation)),
      ...(isNew ? otherMethods(request) : []),
    ]) {
      if (this.around.isOver()) return
      if (one.about === 'path' && (await this.#wire.allows(operation, one.request)) !== 'unknown') continue
      const outcome = await this.#exchanged(operation, 'rest', one.request, authentication)
      if (outcome === undefined) continue
      const faults = brokenFaults(this.declarations, operation, one, outcome.answer)
      this.#report(operation, faults, 'rest', one.request, outcome.answer, authentication)
    }
  }

  /** Only what the document as a reader of texts allows, or forbids, is sent as such. */
  async #overRest(
    operation: Operation,
    one: Case,
    request: HttpRequest,
    authentication: Authentication | undefined,
  ): Promise<Outcome | undefined> {
    const allowance = await this.#wire.allows(operation, request)
    const isSent =
      one.kind === 'open' ? allowance !== 'unknown' : allowance === (one.kind === 'invalid' ? 'no' : 'yes')
    if (!isSent) return undefined
    return this.#send(operation, one, 'rest', request, authentication)
  }

  #isAccepted(operation: Operation, params: JsonObject): boolean {
    return this.validators.of(operation).params(clone(params))
  }

  async #send(
    operation: Operation,
    one: Case,
    protocol: Protocol,
    request: HttpRequest,
    authentication: Authentication | undefined,
  ): Promise<Outcome | undefined> {
    const outcome = await this.#exchanged(operation, protocol, request, authentication)
    if (outcome === undefined) return undefined
    const faults = await this.judge.faults(operation, one, outcome)
    this.#report(operation, faults, protocol, request, outcome.answer, authentication)
    return outcome
  }

  async #exchanged(
    operation: Operation,
    protocol: Protocol,
    request: HttpRequest,
    authentication: Authentication | undefined,
  ): Promise<Outcome | undefined> {
    const { secrets, target } = this.around
    const answer = await target.send(secrets.signed(request, authentication), protocol === 'mcp')
    const faults = faultsAt(this.declarations.position(operation.source.pointer))
    const report = (found: readonly Fault[]) =>
      this.#report(operation, found, protocol, request, answer, authentication)
    if ('status' in answer && levelsOf(answer.body) > deepest) {
      const message = `The body of the response nests deeper than ${deepest} levels, so it was not read`
      report(faults('body-invalid', 'depth', message))
      return undefined
    }
    if (!('status' in answer)) {
      const { reason, isUnsent } = answer
      if (isUnsent !== true) report(faults('no-response', reason, `There is no response: ${reason}`))
      return undefined
    }
    if (protocol === 'rest') this.around.answers.add(answer, this.declarations.of(operation, answer.status))
    const { slowMs, shapes } = this.options
    if (slowMs !== undefined && answer.ms > slowMs) {
      const message = `The response took ${Math.round(answer.ms)} ms. The bound is ${slowMs} ms`
      report(faults('slow-response', '', message))
    }
    const type = answer.headers['content-type'] ?? ''
    const body = isJson(type) && answer.isWhole ? parsed(answer.body) : undefined
    shapes?.add(operation, protocol, answer.status, type, body)
    return outcomeOf(operation, protocol, request, answer)
  }

  #report(
    operation: Operation,
    faults: readonly Fault[],
    protocol: Protocol,
    request: HttpRequest,
    answer: TargetResponse | NoResponse,
    authentication: Authentication | undefined,
  ): void {
    const { findings, secrets } = this.around
    findings.add(faults, { operation, protocol, request, answer, authentication }, secrets)
  }
}
