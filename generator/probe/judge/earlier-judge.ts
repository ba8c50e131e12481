import { objectOf } from '../../document/cursor.js'
import { clone } from '../../document/json.js'
import type { Model, Operation, Tool } from '../../model/model.js'
import { LazyValidators } from '../../validators/lazy-validators.js'
import type { Case } from '../cases/case.js'
import { pathText } from '../schema-site.js'
import { type Allowance, type Places, Wire } from '../wire.js'
import type { Declarations } from './declarations.js'
import { type Fault, faultsAt } from './fault.js'
import type { Judge } from './judge.js'
import { answerText, type Outcome } from './outcome.js'

/**
 * Finds calls of an earlier version that the server refuses. A refusal counts if the server's document refuses the call, too,
 * or if it differs from an accepted call by a bound that the earlier document states. Others may depend on what is stored.
 */
export class EarlierJudge implements Judge {
  readonly comparesProtocols = false
  readonly #wire: Wire
  readonly #validators: LazyValidators
  readonly #methods: ReadonlyMap<string, Operation>

  /** @param declarations those of the earlier document, which the calls are from */
  constructor(
    readonly now: Model,
    readonly version: string,
    readonly declarations: Declarations,
    places: Places,
  ) {
    this.#wire = new Wire(now, places)
    this.#validators = new LazyValidators(now)
    this.#methods = new Map(now.operations.flatMap((one) => (one.rpc === false ? [] : [[one.rpc, one]])))
  }

  async faults(
    operation: Operation,
    { kind, what, way = [], isEdge, params }: Case,
    outcome: Outcome,
  ): Promise<Fault[]> {
    if (kind !== 'valid' || outcome.verdict === 'accepted') return []
    const { declarations, version } = this
    const allowance = await this.#allowance(operation, params, outcome)
    const isGone = allowance === 'unknown' && isUnknown(outcome)
    const isNarrowed = allowance === 'no' && outcome.verdict === 'refused'
    const isOfSchema = outcome.code === undefined || outcome.code === 'validation_failed'
    const isRefused = isEdge === true && outcome.verdict === 'refused' && isOfSchema
    if (!isGone && !isNarrowed && !isRefused) return []
    const [param] = way
    const at =
      param === undefined || isGone
        ? declarations.position(operation.source.pointer)
        : declarations.positionOfParam(operation, param)
    const subject = isGone ? `a call of ${version}, which it does not know` : `a call of ${version} ${what}`
    const detail = `${version} ${isGone ? 'gone' : pathText(way)}`
    const message = `The server refuses ${subject}: ${answerText(outcome)}`
    return faultsAt(at)('earlier-call-refused', detail, message)
  }

  #allowance(
    earlier: Operation,
    params: Case['params'],
    { protocol, request }: Outcome,
  ): Promise<Allowance> | Allowance {
    const { rest, rpc, name, tool } = earlier
    const isSame = (one: Operation): boolean => one.rest.method === rest.method && one.rest.path === rest.path
    if (protocol === 'rest') return this.#wire.allows(this.now.operations.find(isSame) ?? earlier, request)
    if (protocol === 'mcp') return this.#toolAllowance(tool, params)
    const operation = this.#methods.get(rpc === false ? name : rpc)
    if (operation === undefined) return 'unknown'
    return this.#validators.of(operation).params(clone(params)) ? 'yes' : 'no'
  }

  /** Agents send the arguments that the earlier tool has. The present one may fix or hide others. */
  #toolAllowance(earlier: Operation['tool'], params: Case['params']): Allowance {
    const operation = this.now.operations.find(({ tool }) => tool?.name === earlier?.name)
    if (operation?.tool === undefined) return 'unknown'
    const unseenOf = ({ fixed, hidden }: Tool): string[] => [...Object.keys(fixed), ...hidden]
    const before = new Set(earlier && unseenOf(earlier))
    const sent = Object.entries(params).filter(([name]) => !before.has(name))
    const now = new Set(unseenOf(operation.tool))
    if (sent.some(([name]) => now.has(name))) return 'no'
    const received = objectOf([...sent, ...Object.entries(operation.tool.fixed)])
    return this.#validators.of(operation).params(clone(received)) ? 'yes' : 'no'
  }
}

function isUnknown({ protocol, answer, code }: Outcome): boolean {
  return protocol === 'rest' ? [404, 405, 410, 501].includes(answer.status) : code === 'unknown_operation'
}
