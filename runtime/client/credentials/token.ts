import { bearer, type Credential, checkedToken } from './client-auth.js'

/** A token from its issuer. */
export interface IssuedToken {
  readonly token: string
  /**
   * When the token expires. A string is an ISO 8601 datetime with its offset; a number is seconds since the
   * epoch, or milliseconds from 100,000,000,000 on.
   */
  readonly expiresAt: string | number | Date
}

export interface RenewingTokenOptions {
  /**
   * Gets the first token. If this calls the same client, it must pass the options on; otherwise the call
   * would wait for the token that it is meant to get.
   */
  obtain(options: { readonly auth: false }): Promise<IssuedToken>
  /** Gets a new token for one that is still valid; the options authenticate with the old one. */
  renew?:
    | ((token: string, options: { readonly auth: Credential<'bearer'> }) => Promise<IssuedToken>)
    | undefined
  /**
   * Milliseconds before a token's expiry when it is renewed; at most half of its lifetime. Default: 60000, or
   * a tenth of the lifetime if that is shorter.
   */
  readonly margin?: number | undefined
}

/**
 * Sends a bearer token, which it obtains at the first call and renews before expiry (seed section 5).
 * Concurrent calls share one request for a token; while a renewal runs, calls use the old token. If the
 * renewal fails or the service refuses the token (401), it obtains a new one. A token that has not been
 * refused is used for at least 30 s, however far this machine's clock is ahead.
 *
 * If `obtain` throws, the waiting calls throw the same.
 */
export function renewingToken(options: RenewingTokenOptions): Credential<'bearer'> {
  return new RenewingToken(options)
}

interface HeldToken {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
  renewAt: number
}

/**
 * Pause between two renewals. Without it, every call would start one after a failure or for a short-lived
 * token.
 */
const renewalPause = 1000

/**
 * Shortest use of a token that is not refused. A token that seems expired on arrival means that the clocks
 * differ; without this, every call would obtain another.
 */
const leastLife = 30_000

class RenewingToken implements Credential<'bearer'> {
  readonly kind = 'bearer'
  readonly #options: RenewingTokenOptions
  #held: HeldToken | undefined
  #issuing: Promise<HeldToken> | undefined
  /** True while `obtain` or `renew` runs synchronously, up to its first await. */
  #isAsking = false

  constructor(options: RenewingTokenOptions) {
    this.#options = options
  }

  text(refused?: string): string | Promise<string> {
    if (refused !== undefined && this.#held?.token === refused) this.#held = undefined
    const held = this.#held
    if (held !== undefined && Date.now() < held.endsAt) {
      if (Date.now() >= held.renewAt && !this.#isAsking) this.#renewAside(held)
      return held.token
    }
    if (this.#isAsking) {
      throw new TypeError(
        'obtain calls an operation that needs the token which it obtains. Pass the options that obtain receives to that call.',
      )
    }
    return this.#issueOnce().then((issued) => issued.token)
  }

  #renewAside(held: HeldToken): void {
    // The old token is still valid. A call that needs a new one will see the failure.
    this.#issueOnce().catch(() => {
      held.renewAt = Date.now() + renewalPause
    })
  }

  #issueOnce(): Promise<HeldToken> {
    this.#issuing ??= this.#issue().finally(() => {
      this.#issuing = undefined
    })
    return this.#issuing
  }

  async #issue(): Promise<HeldToken> {
    const { obtain, renew } = this.#options
    const token = this.#held !== undefined && Date.now() < this.#held.endsAt ? this.#held.token : undefined
    let issued: IssuedToken | undefined
    if (token !== undefined && renew !== undefined) {
      try {
        issued = await this.#ask(() => renew(token, { auth: bearer(token) }))
      } catch {
        // If the issuer refuses to renew, obtain a new token.
      }
    }
    issued ??= await this.#ask(() => obtain({ auth: false }))
    const held = this.#hold(issued)
    this.#held = held
    return held
  }

  #ask(request: () => Promise<IssuedToken>): Promise<IssuedToken> {
    this.#isAsking = true
    try {
      return request()
    } finally {
      this.#isAsking = false
    }
  }

  #hold({ token, expiresAt }: IssuedToken): HeldToken {
    const now = Date.now()
    const remaining = instant(expiresAt) - now
    const life = remaining > 0 ? remaining : leastLife
    const { margin } = this.#options
    const early = margin === undefined ? Math.min(60_000, life / 10) : Math.min(margin, life / 2)
    return {
      token: checkedToken(token),
      endsAt: now + Math.max(life, leastLife),
      renewAt: now + Math.max(life - early, renewalPause),
    }
  }
}

function instant(expiresAt: string | number | Date): number {
  const isSeconds = typeof expiresAt === 'number' && expiresAt < 1e11
  const time = isSeconds ? expiresAt * 1000 : new Date(expiresAt).getTime()
  if (Number.isNaN(time)) throw new TypeError(`expiresAt of the token is not a time: ${String(expiresAt)}`)
  return time
}
