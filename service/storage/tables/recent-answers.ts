import { LRUCache } from 'lru-cache'

interface RecentAnswersOptions<Value> {
  /** Most entries. Beyond it, the least recently used one is dropped. */
  readonly most: number
  /** Lifetime of an entry in milliseconds, from the moment of the query. */
  readonly ms: number
  /** A shorter lifetime for a single entry. */
  readonly msOf?: (answer: Value) => number | undefined
  /** The owner of an entry, to drop all entries of one owner at once. */
  readonly ownerOf?: (answer: Value) => string
}

/**
 * A cache of recent query results. Concurrent calls with one key share one query. It does not store missing rows. A
 * query in progress when an entry is dropped may have read old data, so its result is not stored.
 */
export class RecentAnswers<Value extends object> {
  readonly #options: RecentAnswersOptions<Value>
  readonly #kept: LRUCache<string, Value>
  readonly #keysOf = new Map<string, Set<string>>()
  #underWay = new Map<string, Promise<Value | undefined>>()

  constructor(options: RecentAnswersOptions<Value>) {
    this.#options = options
    this.#kept = new LRUCache({
      max: options.most,
      ttl: options.ms,
      dispose: (answer, key) => this.#disown(answer, key),
    })
  }

  /** The cached value of the key, else the result of `ask`. Rejects as `ask` does. */
  get(key: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return Promise.resolve(kept)
    const underWay = this.#underWay
    const asked = underWay.get(key)
    if (asked !== undefined) return asked
    const start = performance.now()
    const asking = ask()
      .then((answer) => {
        if (answer !== undefined && underWay === this.#underWay) this.#keep(key, answer, start)
        return answer
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, asking)
    return asking
  }

  forget(key: string): void {
    this.#underWay = new Map()
    this.#kept.delete(key)
  }

  forgetOwner(owner: string): void {
    this.#underWay = new Map()
    for (const key of [...(this.#keysOf.get(owner) ?? [])]) this.#kept.delete(key)
  }

  forgetAll(): void {
    this.#underWay = new Map()
    this.#kept.clear()
  }

  #keep(key: string, answer: Value, start: number): void {
    const { ms, msOf, ownerOf } = this.#options
    // LRUCache takes a ttl of 0 as forever.
    const ttl = Math.floor(Math.min(ms, msOf?.(answer) ?? ms))
    if (ttl < 1) return
    this.#kept.set(key, answer, { ttl, start })
    if (ownerOf === undefined) return
    const owner = ownerOf(answer)
    const keys = this.#keysOf.get(owner)
    if (keys === undefined) this.#keysOf.set(owner, new Set([key]))
    else keys.add(key)
  }

  #disown(answer: Value, key: string): void {
    const owner = this.#options.ownerOf?.(answer)
    if (owner === undefined) return
    const keys = this.#keysOf.get(owner)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOf.delete(owner)
  }
}
