/** Digests of credentials that were good a short while ago, and whose they were. */
export class RecentlyKnown {
  readonly #known = new Map<string, Known>()
  readonly #now: () => number

  /** @param now milliseconds; for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param user undefined: of a credential that is no user's by itself */
  add(digest: string, user?: string): void {
    this.#known.delete(digest)
    if (this.#known.size >= most) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(digest, { user, until: this.#now() + knownMs })
  }

  forget(digest: string): void {
    this.#known.delete(digest)
  }

  has(digest: string): boolean {
    return (this.#known.get(digest)?.until ?? 0) > this.#now()
  }

  userOf(digest: string): string | undefined {
    return this.has(digest) ? this.#known.get(digest)?.user : undefined
  }
}

interface Known {
  readonly user: string | undefined
  readonly until: number
}

const knownMs = 600_000
const most = 10_000
