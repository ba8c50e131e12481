import type { Bound } from '../contract/bound.js'
import type { Contract } from '../contract/contract.js'
import type { Logger } from '../contract/logger.js'
import type { Operation, Protocol } from '../contract/operation.js'
import type { BodyRule } from '../http/body.js'
import { Exchange } from '../http/exchange.js'
import type { CallOrigin } from '../server/call-context.js'
import type { Procedure } from '../server/procedure.js'
import type { ShadowOptions } from '../server/shadow-options.js'
import type { Watcher } from '../server/watcher.js'
import { type Counted, UsageRecorder } from '../usage/recorder.js'
import type { Eventual } from '../values/eventual.js'
import type { JsonObject } from '../values/object.js'
import { Attribution, type ShadowRefusal } from './attribution.js'
import { copied } from './copy.js'
import { NextVersion } from './next-version.js'
import { ReplayedRequest } from './replay.js'

/** Counts the calls of one version, and tries them on the next one once they are answered. */
export class Shadow<Principal> implements Watcher<Principal> {
  readonly #recorder: UsageRecorder<Principal>
  readonly #next: NextVersion | undefined
  readonly #sample: number
  readonly #watched = new Map<Operation, { readonly [protocol in Protocol]: Watched }>()
  readonly #bodies = new WeakMap<object, Buffer>()
  /** Calls whose answer is not sent yet, by their exchange. */
  readonly #open = new WeakMap<object, Sampled[]>()
  #queue: Sampled[] = []
  /** Calls that wait, queued or not yet answered, and the bytes of their bodies. */
  #waiting = 0
  #bytes = 0
  #work: Promise<void> | undefined

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
    this.#next = next && new NextVersion(contract, next.contract, rule)
    for (const operation of Object.values(contract.operations))
      this.#watched.set(operation, {
        rest: watchedOf(operation, 'rest', options),
        jsonrpc: watchedOf(operation, 'jsonrpc', options),
      })
  }

  /** Remembers the bytes of a body, which REST is bound from again. */
  readonly keep = (request: object, bytes: Buffer): void => {
    if (bytes.length <= MOST_BYTES) this.#bodies.set(request, bytes)
  }

  bound(caller: CallOrigin, { params, timezone, violations }: Bound): unknown {
    if (this.#next === undefined || !(caller instanceof Exchange)) return undefined
    if (this.#sample < 1 && Math.random() >= this.#sample) return undefined
    if (this.#waiting >= MOST_WAITING || this.#bytes >= MOST_WAITING_BYTES) return undefined
    if (caller.protocol === 'rest') return REST
    const copy = copied(params)
    return copy && { params: copy as JsonObject, timezone, violations }
  }

  accepted(
    { operation }: Procedure,
    caller: CallOrigin,
    principal: Principal | undefined,
    seen: unknown,
  ): void {
    const { protocol } = caller
    const watched = protocol === 'local' ? undefined : this.#watched.get(operation)?.[protocol]
    if (watched === undefined || !(caller instanceof Exchange)) return
    const consumer = this.#recorder.called(watched.counted, principal)
    const call = seen === undefined ? undefined : this.#callOf(watched, consumer, caller, seen)
    if (call === undefined) return
    this.#waiting += 1
    this.#bytes += call.bytes
    const known = this.#open.get(caller)
    if (known !== undefined) {
      known.push(call)
      return
    }
    const calls = [call]
    this.#open.set(caller, calls)
    caller.whenOver(() => {
      this.#open.delete(caller)
      this.#queue.push(...calls)
      this.#work ??= this.#drain()
    })
  }

  /** Tries what waits for it, and hands everything counted to the ledger. */
  async flush(): Promise<void> {
    await this.#work
    await this.#recorder.flush()
  }

  #callOf(
    watched: Watched,
    consumer: string,
    exchange: Exchange<Principal>,
    seen: unknown,
  ): Sampled | undefined {
    const next = this.#next
    if (next === undefined) return undefined
    const { request, url } = exchange
    const { operation, meant, attribution } = watched
    const look = (params: unknown) => attribution.absent(params)
    if (seen !== REST) {
      const bound = seen as Bound
      return { watched, consumer, bytes: 0, ask: () => next.jsonrpc(operation, meant, request, bound, look) }
    }
    const kept = this.#bodies.get(request)
    // Its body is too long, or a body parser has read it.
    if (kept === undefined && request.readableDidRead) return undefined
    // Node hands out parts of larger buffers, which would stay as long as this one.
    const bytes = kept === undefined ? NO_BYTES : Buffer.from(kept)
    const replayed = new ReplayedRequest(request, bytes)
    return {
      watched,
      consumer,
      bytes: bytes.length,
      ask: () => next.rest(operation, meant, replayed, url, look),
    }
  }

  /** Tries calls, and lets other work go first every few milliseconds. */
  async #drain(): Promise<void> {
    await nextTurn()
    let end = performance.now() + TURN_MS
    while (this.#queue.length > 0) {
      const queue = this.#queue
      this.#queue = []
      for (const call of queue) {
        this.#waiting -= 1
        this.#bytes -= call.bytes
        await this.#try(call)
        if (performance.now() < end) continue
        await nextTurn()
        end = performance.now() + TURN_MS
      }
    }
    this.#work = undefined
  }

  #try({ watched, consumer, ask }: Sampled): Eventual<void> {
    const { counted, attribution } = watched
    const told = (refusal: ShadowRefusal | undefined) =>
      this.#recorder.tried(counted, consumer, attribution.of(refusal ?? FINE))
    let answer: Eventual<ShadowRefusal | undefined>
    try {
      answer = ask()
    } catch {
      return told(OTHER)
    }
    return answer instanceof Promise ? answer.then(told, () => told(OTHER)) : told(answer)
  }
}

/** One operation over one protocol. */
interface Watched {
  readonly operation: Operation
  readonly counted: Counted
  /** The next version's operation that callers mean. */
  readonly meant: string | undefined
  readonly attribution: Attribution
}

/** A call to try. */
interface Sampled {
  readonly watched: Watched
  readonly consumer: string
  readonly bytes: number
  readonly ask: () => Eventual<ShadowRefusal | undefined>
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
  return {
    operation,
    meant,
    counted: { operation: name, protocol, watched: known?.watched },
    attribution: new Attribution(known?.changes ?? [], protocol),
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const REST = Symbol('a REST call')
const FINE: ShadowRefusal = { violations: [] }
const OTHER: ShadowRefusal = { isOther: true, violations: [] }
const NO_BYTES = Buffer.alloc(0)

/** The longest body that is tried again, in bytes. */
const MOST_BYTES = 65_536

/** The most calls that wait, and the most bytes of their bodies. Further calls are counted and not tried. */
const MOST_WAITING = 1000
const MOST_WAITING_BYTES = 8 * 1024 * 1024

/** Milliseconds of trying before other work goes first. */
const TURN_MS = 2
