import type { Bound } from '../contract/bound.js'
import type { Contract } from '../contract/contract.js'
import type { HttpRequest, ReadableRequest } from '../contract/http-request.js'
import type { Logger } from '../contract/logger.js'
import type { Operation, Protocol } from '../contract/operation.js'
import type { Json } from '../contract/parsed-json.js'
import type { BodyMemory, BodyRule } from '../http/body.js'
import { Exchange } from '../http/exchange.js'
import type { CallOrigin } from '../server/call-context.js'
import type { Watcher } from '../server/dispatch.js'
import { type Counted, secondsNow, type Tried, UsageRecorder } from '../usage/recorder.js'
import type { ShadowOptions } from '../usage/shadow-options.js'
import type { Eventual } from '../values/eventual.js'
import { againOf } from './again.js'
import { Attribution, type ShadowRefusal } from './attribution.js'
import { copied } from './copy.js'
import { NextVersion, type ShadowCall } from './next-version.js'

/** Counts the calls of one version, and tries them on the next one once they are answered. */
export class Shadow<Principal> implements Watcher<Principal>, BodyMemory {
  readonly #recorder: UsageRecorder<Principal>
  readonly #next: NextVersion | undefined
  readonly #sample: number
  readonly #watched = new Map<Operation, { readonly [protocol in Protocol]: Watched }>()
  /** The exchange that had the last call. */
  #current: object | undefined
  /** The unanswered calls of the exchange that had the last call to try. */
  #last: { readonly exchange: object; readonly calls: Accepted[] } | undefined
  /** The last body that was read. */
  #kept: { readonly request: object; readonly json: Json } | undefined
  /** The JSON of the call that is being tried. */
  #again: Json | undefined
  #queue: Accepted[] = []
  /** How many calls are unanswered or queued. */
  #waiting = 0
  #work: Promise<void> | undefined
  /** Seconds since the epoch. */
  #now = 0
  /** When the current window began, and how long it has tried calls, both in milliseconds. */
  #window = 0
  #spent = 0

  /** @throws Error for options that do not fit each other or the contract */
  constructor(
    contract: Contract,
    options: ShadowOptions<Principal>,
    rule: BodyRule,
    logger: Logger | undefined,
  ) {
    const { next, changes, sample = 1 } = options
    const { title: api, version } = contract
    if (changes !== undefined) {
      const to = next?.contract.version
      if (changes.api !== api || changes.from !== version || changes.to !== to)
        throw new Error(
          `shadow.changes are those of ${changes.api} from ${changes.from} to ${changes.to}, not of ${api} from ${version} to ${to ?? 'no version'}`,
        )
    }
    const about = { api, version, ...(next !== undefined && { next: next.contract.version }) }
    this.#recorder = new UsageRecorder(options, about, (message, error) => {
      try {
        logger?.warn(error === undefined ? {} : { err: error }, message)
      } catch {}
    })
    this.#sample = sample
    this.#next = next && new NextVersion(contract, next.contract, { ...rule, memory: this })
    for (const operation of Object.values(contract.operations))
      this.#watched.set(operation, {
        rest: watchedOf(operation, 'rest', options),
        jsonrpc: watchedOf(operation, 'jsonrpc', options),
        mcp: watchedOf(operation, 'mcp', options),
      })
  }

  /** Whether calls of an operation are tried, over REST, or one call. */
  isFor(operation: Operation, request?: HttpRequest): boolean {
    if (this.#next === undefined || this.#sample <= 0) return false
    const watched = this.#watched.get(operation)?.rest
    return request === undefined
      ? watched?.passes !== true || watched.unless.length > 0
      : !passesAs(watched, request)
  }

  /**
   * Keeps a REST body for binding it again. JSON waits here until `bound` takes it: binding follows reading at
   * once. Other bodies go into the request's `rawBody`, where readers look first.
   */
  keep(request: object, bytes: Buffer, json?: Json): void {
    if (bytes.length > MOST_BYTES) return
    const value = json && copied(json.value)
    if (json !== undefined && value !== undefined) this.#kept = { request, json: { ...json, value } }
    else if (!Object.hasOwn(request, 'rawBody')) Reflect.set(request, 'rawBody', bytes)
  }

  /** The JSON of the call that is being tried. */
  again(): Json | undefined {
    return this.#again
  }

  bound(operation: Operation, caller: CallOrigin, { params, timezone, violations }: Bound): unknown {
    if (this.#next === undefined || !(caller instanceof Exchange)) return undefined
    if (this.#sample < 1 && Math.random() >= this.#sample) return undefined
    if (passesAs(this.#watched.get(operation)?.[caller.protocol], caller.request)) return PASSED
    if (this.#waiting >= MOST_WAITING) return undefined
    if (againOf[caller.protocol].from === 'body') return this.#seen(caller.request)
    const copy = copied(params)
    return copy && { params: copy, timezone, violations }
  }

  /** The JSON of a REST call's body, if it has any. Undefined if its body cannot be read again. */
  #seen(request: ReadableRequest): RestBody | undefined {
    if (!request.readableDidRead) return NO_JSON
    const kept = this.#kept
    this.#kept = undefined
    if (kept?.request === request) return new RestBody(kept.json)
    return Reflect.get(request, 'rawBody') instanceof Uint8Array ? NO_JSON : undefined
  }

  accepted(operation: Operation, caller: CallOrigin, seen: unknown): unknown {
    if (!(caller instanceof Exchange)) return undefined
    const watched = this.#watched.get(operation)?.[caller.protocol]
    if (watched === undefined) return undefined
    const call: Accepted = { watched, exchange: caller, seen, consumer: undefined, tried: undefined }
    if (seen === undefined || seen === PASSED) return call
    this.#waiting += 1
    if (this.#last?.exchange === caller) {
      this.#last.calls.push(call)
      return call
    }
    const calls: Accepted[] = [call]
    this.#last = { exchange: caller, calls }
    caller.whenSent(() => this.#answered(caller, calls))
    return call
  }

  ended(accepted: unknown, principal: Principal | undefined): void {
    const call = accepted as Accepted
    const { watched, exchange, seen, tried } = call
    // Reading the clock costs as much as a short call, so a batch reads it once.
    if (this.#current !== exchange) this.#now = secondsNow()
    this.#current = exchange
    call.consumer = this.#recorder.called(watched.counted, principal, this.#now, seen === PASSED)
    if (tried !== undefined) this.#recorder.tried(watched.counted, call.consumer, tried)
  }

  /** Tries all waiting calls, and hands all counts to the ledger. */
  async flush(): Promise<void> {
    await this.#work
    await this.#recorder.flush()
  }

  /** Tries the calls of an answered exchange at once. If recent ones took too long, it queues them. */
  #answered(exchange: object, calls: readonly Accepted[]): void {
    if (this.#last?.exchange === exchange) this.#last = undefined
    const start = performance.now()
    if (start - this.#window > WINDOW_MS) {
      this.#window = start
      this.#spent = 0
    }
    let next = 0
    if (this.#queue.length === 0 && this.#spent < TURN_MS)
      for (const end = start + TURN_MS - this.#spent; next < calls.length; next += 1) {
        if (next % 8 === 7 && performance.now() >= end) break
        this.#try(calls[next])
      }
    this.#spent += performance.now() - start
    if (next === calls.length) return
    this.#queue.push(...calls.slice(next))
    this.#work ??= this.#drain()
  }

  /** Tries the queued calls. Pauses for other work every few milliseconds. */
  async #drain(): Promise<void> {
    await nextTurn()
    let end = performance.now() + TURN_MS
    while (this.#queue.length > 0) {
      const queue = this.#queue
      this.#queue = []
      for (const call of queue) {
        await this.#try(call)
        if (performance.now() < end) continue
        await nextTurn()
        end = performance.now() + TURN_MS
      }
    }
    this.#work = undefined
  }

  #try(call: Accepted | undefined): Eventual<void> {
    if (call === undefined) return
    this.#waiting -= 1
    const { watched } = call
    const record = (refusal: ShadowRefusal | undefined): void => {
      const tried = watched.attribution.of(refusal)
      // A caller that disconnects does not end the handler.
      if (call.consumer === undefined) call.tried = tried
      else this.#recorder.tried(watched.counted, call.consumer, tried)
    }
    try {
      const answer = this.#ask(call)
      return answer instanceof Promise ? answer.then(record, () => record(OTHER)) : record(answer)
    } catch {
      return record(OTHER)
    }
  }

  #ask({ watched, exchange, seen }: Accepted): Eventual<ShadowRefusal | undefined> {
    const { request, url } = exchange
    if (!(seen instanceof RestBody)) return this.#next?.named(watched, request, seen as Bound)
    this.#again = seen.json
    return this.#next?.rest(watched, request, url)
  }
}

/** One operation over one protocol. */
interface Watched extends ShadowCall {
  readonly counted: Counted
  readonly attribution: Attribution
  /** Whether the next version accepts every call that this one accepts. */
  readonly passes: boolean
  /** Headers of calls that are tried all the same. */
  readonly unless: readonly string[]
}

function passesAs(watched: Watched | undefined, { headers }: HttpRequest): boolean {
  return watched?.passes === true && !watched.unless.some((name) => headers[name] !== undefined)
}

/** A call that the handler has received. */
interface Accepted {
  readonly watched: Watched
  readonly exchange: Pick<Exchange<never>, 'request' | 'url'>
  /** Its params, or the body of a REST request. Undefined: it is not tried. */
  readonly seen: unknown
  /** Undefined until the call has ended. */
  consumer: string | undefined
  /** The outcome of a trial before that. */
  tried: Tried | undefined
}

function watchedOf<Principal>(
  operation: Operation,
  protocol: Protocol,
  { changes, next }: ShadowOptions<Principal>,
): Watched {
  const { name } = operation
  const known =
    changes !== undefined && Object.hasOwn(changes.operations, name) ? changes.operations[name] : undefined
  const hasSame = next !== undefined && Object.hasOwn(next.contract.operations, name)
  const meant = known === undefined ? (hasSame ? name : undefined) : known.next[protocol]
  const attribution = new Attribution(known?.changes ?? [], protocol)
  const { from, named, rebind } = againOf[protocol]
  const after = meant === undefined ? undefined : next?.contract.operations[meant]
  return {
    operation,
    meant,
    named: next && named(next.contract, operation)?.name,
    rebind: rebind && after && ((bound) => rebind(bound, operation, after)),
    counted: { operation: name, protocol, watched: known?.watched },
    attribution,
    passes: after !== undefined && known?.passes?.includes(protocol) === true,
    unless: from === 'body' ? (known?.unless ?? []) : [],
    look: (params) => attribution.absent(params),
    mayLack: after !== undefined && JSON.stringify(after.security) !== JSON.stringify(operation.security),
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

class RestBody {
  constructor(readonly json: Json | undefined) {}
}

/** In place of what to try: the documents show that the next version accepts the call. */
const PASSED = 'passed'
const NO_JSON = new RestBody(undefined)
const OTHER: ShadowRefusal = { isOther: true, violations: [] }

/** The longest body that is tried again, in bytes. */
const MOST_BYTES = 16_384

/** The most calls that wait. Further calls are counted and not tried. */
const MOST_WAITING = 1000

/** Milliseconds of trying before other work goes first, and the window in which they count. */
const TURN_MS = 2
const WINDOW_MS = 10
