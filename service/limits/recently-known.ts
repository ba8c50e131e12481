/** Digests of credentials that were good a short while ago. */
export class RecentlyKnown {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  /** @param now milliseconds; for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  add(digest: string): void {
    this.#until.delete(digest)
    if (this.#until.size >= most) this.#until.delete(this.#until.keys().next().value ?? '')
    this.#until.set(digest, this.#now() + knownMs)
  }

  forget(digest: string): void {
    this.#until.delete(digest)
  }

  has(digest: string): boolean {
    return (this.#until.get(digest) ?? 0) > this.#now()
  }
}

const knownMs = 600_000
const most = 10_000
