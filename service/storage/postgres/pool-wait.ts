import type pg from 'pg'
import { unavailable } from '../database/unavailable.js'

/** Estimates how long statements wait for a connection of a pool, from how long the last ones kept theirs. */
export class PoolWait {
  readonly #pool: pg.Pool
  readonly #mostMs: number
  #keptMs = 0
  #refused = 0

  /** @param mostMs longest wait of a statement */
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

  /** Statements refused so far. */
  get refused(): number {
    return this.#refused
  }

  /**
   * Lets a statement wait, or refuses it at once if it would wait too long. It and all behind it would come too late
   * for their calls, so that under load no call would end in time.
   * @throws ProblemError `unavailable`
   */
  enter(): void {
    const ms = this.#msBehind(this.#pool.waitingCount)
    if (ms <= this.#mostMs) return
    this.#refused += 1
    throw unavailable('Too many calls wait for the database.', Math.ceil(ms / 1_000))
  }

  /** Whether one more statement would wait for half of the bound if this many calls had one each. */
  isHalfTaken(calls: number): boolean {
    return this.#msBehind(calls - this.#pool.options.max) > this.#mostMs / 2
  }

  #msBehind(waiting: number): number {
    return (waiting * this.#keptMs) / this.#pool.options.max
  }
}

const newShare = 0.1
