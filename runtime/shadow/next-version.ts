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
import { checkedParams } from '../server/checked-params.js'
import { type Procedure, proceduresOf } from '../server/procedure.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import type { ShadowRefusal } from './attribution.js'

interface Endpoint {
  readonly procedure: Procedure
  readonly binder: RestBinder
}

/** Finds the changes that params show by what they leave out, before defaults are filled in. */
type Look = (params: unknown) => readonly string[]

/** Binds and validates calls of one version as the next one would. Nothing is handled. */
export class NextVersion {
  readonly #contract: Contract
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #router: Router<Endpoint>
  /** The routes of the version that is called. */
  readonly #old: Router<Operation>
  /** Binders of operations that have moved, by the name of the old one. */
  readonly #moved = new Map<string, RestBinder>()
  readonly #rule: BodyRule

  constructor(older: Contract, next: Contract, rule: BodyRule) {
    this.#contract = next
    this.#rule = rule
    this.#procedures = proceduresOf(next, {})
    this.#router = new Router(
      next.routes.flatMap(({ method, path, query, operation }) => {
        const procedure = this.#procedures.get(operation.name)
        if (procedure === undefined) return []
        const binder = new RestBinder(operation, queryCredentials(procedure.alternatives))
        return [{ method, path, query, target: { procedure, binder } }]
      }),
    )
    this.#old = new Router(
      older.routes.map(({ method, path, query, operation }) => ({ method, path, query, target: operation })),
    )
  }

  /** Why the next version refuses a REST call that means `meant`. `url` is below the base path. */
  rest(
    operation: Operation,
    meant: string | undefined,
    request: ReadableRequest,
    url: string,
    look: Look,
  ): Eventual<ShadowRefusal | undefined> {
    const match = this.#router.find(request.method ?? '', url)
    const reached = match?.target.procedure.operation.name
    if (match !== undefined && reached === meant) {
      const { procedure, binder } = match.target
      return this.#bound(procedure, request, {}, look, () =>
        binder.bind(request, url, match.values, this.#rule),
      )
    }
    const elsewhere = { isElsewhere: true, ...(reached !== undefined && { taker: reached }) }
    const procedure = this.#procedures.get(meant ?? '')
    const values = this.#old.find(request.method ?? '', url)?.values
    if (procedure === undefined || values === undefined) return { ...elsewhere, violations: [] }
    const binder = this.#movedBinder(operation, procedure)
    return this.#bound(procedure, request, elsewhere, look, () =>
      binder.bind(request, url, values, this.#rule),
    )
  }

  /** The same for a JSON-RPC call. The params are changed. */
  jsonrpc(
    { rpc }: Operation,
    meant: string | undefined,
    request: HttpRequest,
    bound: Bound,
    look: Look,
  ): Eventual<ShadowRefusal | undefined> {
    const { methods } = this.#contract
    const reached = rpc !== false && Object.hasOwn(methods, rpc) ? methods[rpc]?.name : undefined
    const elsewhere =
      reached === meant ? {} : { isElsewhere: true, ...(reached !== undefined && { taker: reached }) }
    const procedure = this.#procedures.get(meant ?? '')
    if (procedure === undefined) return { isElsewhere: true, ...elsewhere, violations: [] }
    return this.#bound(procedure, request, elsewhere, look, () => bound)
  }

  #bound(
    procedure: Procedure,
    request: HttpRequest,
    known: Omit<ShadowRefusal, 'violations'>,
    look: Look,
    bind: () => Eventual<Bound>,
  ): Eventual<ShadowRefusal | undefined> {
    let found = { ...known, ...(lacksCredentials(procedure, request) && { isWithoutCredentials: true }) }
    const refused = (error: unknown): ShadowRefusal => refusalOf(error, found)
    try {
      const checked = whenKnown(bind(), (bound) => {
        const absent = look(bound.params)
        if (absent.length > 0) found = { ...found, absent }
        countingSteps(() => checkedParams(procedure, bound, 'UTC'))
        return isRefused(found) ? { ...found, violations: [] } : undefined
      })
      return checked instanceof Promise ? checked.catch(refused) : checked
    } catch (error) {
      return refused(error)
    }
  }

  /** The binder of the next version's operation for calls to the old path. */
  #movedBinder({ name, rest: { path } }: Operation, { operation, alternatives }: Procedure): RestBinder {
    const known = this.#moved.get(name)
    if (known !== undefined) return known
    const moved = { ...operation, rest: { ...operation.rest, path } }
    const binder = new RestBinder(moved, queryCredentials(alternatives))
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

function isRefused(found: Omit<ShadowRefusal, 'violations'>): boolean {
  return found.isElsewhere === true || found.isWithoutCredentials === true || found.absent !== undefined
}

function refusalOf(error: unknown, found: Omit<ShadowRefusal, 'violations'>): ShadowRefusal {
  if (!(error instanceof ProblemError)) return { ...found, isOther: true, violations: [] }
  const { code, violations = [] } = error
  if (code === 'validation_failed') return { ...found, violations }
  if (code === 'unsupported_media_type') return { ...found, isOtherMediaType: true, violations: [] }
  return { ...found, isOther: true, violations: [] }
}
