import type pg from 'pg'
import { unavailable } from '../database/unavailable.js'

/** How long statements wait for a connection of a pool, reckoned from how long the last ones kept theirs. */
export class PoolWait {
  readonly #pool: pg.Pool
  readonly #mostMs: number
  #keptMs = 0
  #refused = 0

  /** @param mostMs how long a statement may have to wait */
  constructor(pool: pg.Pool, mostMs: number) {
    this.#pool = pool
    this.#mostMs = mostMs
    const since = new WeakMap<pg.PoolClient, number>()
    pool.on('acquire', (client) => since.set(client, performance.now()))
    pool.on('release', (_error, client) => {
      const keptMs = performance.now() - (since.get(client) ?? Number.NaN)
      if (keptMs >= 0) this.#keptMs += (keptMs - this.#keptMs) * newShare
    })
  }

  /** Statements that were refused so far. */
  get refused(): number {
    return this.#refused
  }

  /**
   * Lets a statement wait. One that would wait too long is refused at once: it would come too late for its call, and
   * those behind it too, so that of many calls none would be made in time.
   * @throws ProblemError `unavailable`
   */
  enter(): void {
    const ms = this.#msBehind(this.#pool.waitingCount)
    if (ms <= this.#mostMs) return
    this.#refused += 1
    throw unavailable('More calls wait for the database than it answers in time.', Math.ceil(ms / 1_000))
  }

  /** Whether one more would wait for half as long as it may if so many calls had a statement each. */
  isHalfTaken(calls: number): boolean {
    return this.#msBehind(calls - this.#pool.options.max) > this.#mostMs / 2
  }

  #msBehind(waiting: number): number {
    return (waiting * this.#keptMs) / this.#pool.options.max
  }
}

const newShare = 0.1
