import { LRUCache } from 'lru-cache'

interface QueryCacheOptions<Value> {
  /** Maximum number of entries. Beyond it, the least recently used one is dropped. */
  readonly maxEntries: number
  /** Lifetime of an entry in milliseconds, from the moment of the query. */
  readonly lifetimeMs: number
  /** A shorter lifetime for a single entry. */
  readonly lifetimeOf?: (row: Value) => number | undefined
  /** The owner of an entry, to drop all entries of one owner at once. */
  readonly ownerOf?: (row: Value) => string
}

/**
 * A cache of recent query results. Concurrent calls with one key share one query. It does not store missing rows. A
 * query in progress when an entry is dropped may have read old data, so its result is not stored.
 */
export class QueryCache<Value extends object> {
  readonly #options: QueryCacheOptions<Value>
  readonly #cached: LRUCache<string, Value>
  readonly #keysOf = new Map<string, Set<string>>()
  #pending = new Map<string, Promise<Value | undefined>>()

  constructor(options: QueryCacheOptions<Value>) {
    this.#options = options
    this.#cached = new LRUCache({
      max: options.maxEntries,
      ttl: options.lifetimeMs,
      dispose: (row, key) => this.#disown(row, key),
    })
  }

  /** The cached value of the key, else the result of `query`. Rejects as `query` does. */
  get(key: string, query: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.#cached.get(key)
    if (cached !== undefined) return Promise.resolve(cached)
    const running = this.#pending
    const pending = running.get(key)
    if (pending !== undefined) return pending
    const start = performance.now()
    const started = query()
      .then((row) => {
        if (row !== undefined && running === this.#pending) this.#store(key, row, start)
        return row
      })
      .finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  forget(key: string): void {
    this.#pending = new Map()
    this.#cached.delete(key)
  }

  forgetOwner(owner: string): void {
    this.#pending = new Map()
    for (const key of [...(this.#keysOf.get(owner) ?? [])]) this.#cached.delete(key)
  }

  forgetAll(): void {
    this.#pending = new Map()
    this.#cached.clear()
  }

  #store(key: string, row: Value, start: number): void {
    const { lifetimeMs, lifetimeOf, ownerOf } = this.#options
    // LRUCache takes a ttl of 0 as forever.
    const ttl = Math.floor(Math.min(lifetimeMs, lifetimeOf?.(row) ?? lifetimeMs))
    if (ttl < 1) return
    this.#cached.set(key, row, { ttl, start })
    if (ownerOf === undefined) return
    const owner = ownerOf(row)
    const keys = this.#keysOf.get(owner)
    if (keys === undefined) this.#keysOf.set(owner, new Set([key]))
    else keys.add(key)
  }

  #disown(row: Value, key: string): void {
    const owner = this.#options.ownerOf?.(row)
    if (owner === undefined) return
    const keys = this.#keysOf.get(owner)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOf.delete(owner)
  }
}
