import type { Bound } from '../contract/bound.js'
import type { Contract } from '../contract/contract.js'
import type { HttpRequest, ReadableRequest } from '../contract/http-request.js'
import type { Operation } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { BodyRule } from '../http/body.js'
import { countingSteps } from '../patterns/pattern-account.js'
import { RestBinder } from '../rest/server/bind.js'
import { queryCredentials } from '../rest/server/handler.js'
import { Router } from '../rest/server/router.js'
import type { PathValues } from '../rest/style/path-template.js'
import { checkedParams } from '../server/checked-params.js'
import { type Procedure, proceduresOf } from '../server/procedure.js'
import type { Eventual } from '../values/eventual.js'
import type { ShadowRefusal } from './attribution.js'

interface Endpoint {
  readonly procedure: Procedure
  readonly binder: RestBinder
}

/** One operation over one protocol, whose calls are tried. */
export interface ShadowCall {
  /** The operation that callers call. */
  readonly operation: Operation
  /** Its counterpart in the next version. Undefined: there is none. */
  readonly meant: string | undefined
  /** The operation of the next version that has its name over the protocol. Undefined: there is none. */
  readonly named: string | undefined
  /** Binds the params again as the next version does. Undefined: it binds them alike. */
  readonly rebind: ((bound: Bound) => Bound) | undefined
  /** Finds the changes that params show by missing values. Call it before defaults are filled in. */
  readonly look: (params: unknown) => readonly string[]
  /** Whether the next version may require other credentials. */
  readonly mayLack: boolean
}

type Elsewhere = Pick<ShadowRefusal, 'isElsewhere' | 'taker'>

/** Binds and validates calls of one version as the next one would. Calls no handler. */
export class NextVersion {
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #router: Router<Endpoint>
  /** The routes of the version that callers call. */
  readonly #old: Router<Operation>
  /** Binders of operations with another path in the next version, by their old names. */
  readonly #moved = new Map<string, RestBinder>()
  readonly #rule: BodyRule
  /** Query parameters that carry credentials. */
  readonly #credentials: ReadonlySet<string>

  constructor(older: Contract, next: Contract, rule: BodyRule) {
    this.#rule = rule
    this.#credentials = queryCredentials(next)
    this.#procedures = proceduresOf(next, {})
    this.#router = new Router(
      next.routes.flatMap(({ method, path, query, operation }) => {
        const procedure = this.#procedures.get(operation.name)
        if (procedure === undefined) return []
        const binder = new RestBinder(operation, this.#credentials)
        return [{ method, path, query, target: { procedure, binder } }]
      }),
    )
    this.#old = new Router(
      older.routes.map(({ method, path, query, operation }) => ({ method, path, query, target: operation })),
    )
  }

  /** Why the next version refuses a REST call. `url` is below the base path. */
  rest(call: ShadowCall, request: ReadableRequest, url: string): Eventual<ShadowRefusal | undefined> {
    const { operation, meant } = call
    const match = this.#router.find(request.method ?? '', url)
    const reached = match?.target.procedure.operation.name
    if (match !== undefined && reached === meant) {
      const { procedure, binder } = match.target
      return this.#bound(call, procedure, binder, request, url, match.values)
    }
    const elsewhere = { isElsewhere: true, taker: reached }
    const procedure = this.#procedures.get(meant ?? '')
    const values = this.#old.find(request.method ?? '', url)?.values
    if (procedure === undefined || values === undefined) return { ...elsewhere, violations: [] }
    const binder = this.#movedBinder(operation, procedure)
    return this.#bound(call, procedure, binder, request, url, values, elsewhere)
  }

  /** Why the next version refuses a call by name. Fills defaults into the params of `bound`. */
  named(call: ShadowCall, request: HttpRequest, bound: Bound): ShadowRefusal | undefined {
    const { meant, named, rebind } = call
    const procedure = this.#procedures.get(meant ?? '')
    const elsewhere = named === meant ? undefined : { isElsewhere: true, taker: named }
    if (procedure === undefined) return { isElsewhere: true, taker: named, violations: [] }
    return this.#checked(call, procedure, request, rebind?.(bound) ?? bound, elsewhere)
  }

  #bound(
    call: ShadowCall,
    procedure: Procedure,
    binder: RestBinder,
    request: ReadableRequest,
    url: string,
    values: PathValues,
    elsewhere?: Elsewhere,
  ): Eventual<ShadowRefusal | undefined> {
    const refused = (error: unknown): ShadowRefusal =>
      withMore(refusalOf(error), elsewhere, call.mayLack && lacksCredentials(procedure, request), [])
    try {
      const bound = binder.bind(request, url, values, this.#rule)
      if (!(bound instanceof Promise)) return this.#checked(call, procedure, request, bound, elsewhere)
      return bound.then((known) => this.#checked(call, procedure, request, known, elsewhere), refused)
    } catch (error) {
      return refused(error)
    }
  }

  #checked(
    { look, mayLack }: ShadowCall,
    procedure: Procedure,
    request: HttpRequest,
    bound: Bound,
    elsewhere: Elsewhere | undefined,
  ): ShadowRefusal | undefined {
    const absent = look(bound.params)
    const isLacking = mayLack && lacksCredentials(procedure, request)
    let refusal: ShadowRefusal | undefined
    try {
      countingSteps(() => checkedParams(procedure, bound, 'UTC'))
    } catch (error) {
      refusal = refusalOf(error)
    }
    if (refusal === undefined && elsewhere === undefined && !isLacking && absent.length === 0)
      return undefined
    return withMore(refusal ?? { violations: [] }, elsewhere, isLacking, absent)
  }

  /** Binds calls to the old path as the next version's operation would. */
  #movedBinder({ name, rest: { path } }: Operation, { operation }: Procedure): RestBinder {
    const known = this.#moved.get(name)
    if (known !== undefined) return known
    const moved = { ...operation, rest: { ...operation.rest, path } }
    const binder = new RestBinder(moved, this.#credentials)
    this.#moved.set(name, binder)
    return binder
  }
}

function lacksCredentials({ secured, alternatives }: Procedure, request: HttpRequest): boolean {
  if (!secured) return false
  return !alternatives.some(({ schemes }) =>
    schemes.every(({ read }) => {
      const credential = read(request)
      return credential !== undefined && credential !== ''
    }),
  )
}

function withMore(
  refusal: ShadowRefusal,
  elsewhere: Elsewhere | undefined,
  isWithoutCredentials: boolean,
  absent: readonly string[],
): ShadowRefusal {
  return { ...refusal, ...elsewhere, isWithoutCredentials, absent }
}

function refusalOf(error: unknown): ShadowRefusal {
  if (!(error instanceof ProblemError)) return { isOther: true, violations: [] }
  const { code, violations = [] } = error
  if (code === 'validation_failed') return { violations }
  if (code === 'unsupported_media_type') return { isOtherMediaType: true, violations: [] }
  return { isOther: true, violations: [] }
}
