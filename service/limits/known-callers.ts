import { createHash } from 'node:crypto'
import type { HttpRequest } from 'duet-runtime'
import { LRUCache } from 'lru-cache'
import type { Sender } from './client-address.js'

/** The callers whose credentials were valid, in this request or within the last ten minutes. */
export class KnownCallers {
  /** Owners by the digest of their credential. */
  readonly #recent: LRUCache<string, Owner>
  readonly #authenticated = new WeakMap<Sender, Owner>()
  readonly #credentialsOf: (sender: Sender) => readonly string[]

  /**
   * @param credentialsOf every credential that a request sends, valid or not
   * @param now milliseconds; for tests
   */
  constructor(
    credentialsOf: (sender: Sender) => readonly string[],
    now: () => number = () => performance.now(),
  ) {
    this.#credentialsOf = credentialsOf
    this.#recent = new LRUCache({ max: 10_000, ttl: 600_000, perf: { now } })
  }

  /** @param user undefined if the credential is a session's */
  add(request: HttpRequest, credential: string, user?: string): void {
    this.#recent.set(digestOf(credential), { user })
    this.#authenticated.set(request, { user })
  }

  forget(credential: string): void {
    this.#recent.delete(digestOf(credential))
  }

  /** Whether a credential was valid recently. */
  knows(credential: string): boolean {
    return this.#recent.has(digestOf(credential))
  }

  /** Whether a credential of the sender was valid recently. */
  knowsAny(sender: Sender): boolean {
    return this.#credentialsOf(sender).some((credential) => this.knows(credential))
  }

  hasCredentials(sender: Sender): boolean {
    return this.#credentialsOf(sender).length > 0
  }

  /** Whether a credential of this request was valid. */
  isAuthenticated(request: HttpRequest): boolean {
    return this.#authenticated.has(request)
  }

  /** The user of a request: the authenticated one, else that of a credential that was valid recently. */
  userOf(request: Sender): string | undefined {
    const authenticated = this.#authenticated.get(request)
    if (authenticated !== undefined) return authenticated.user
    for (const credential of this.#credentialsOf(request)) {
      const user = this.#recent.get(digestOf(credential))?.user
      if (user !== undefined) return user
    }
    return undefined
  }
}

interface Owner {
  readonly user: string | undefined
}

/** 128 bits of SHA-256. It bounds the length of callers' texts, and no key stays in memory as plain text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
