import { bearer, type Credential, checkedToken } from './client-auth.js'

/** A token as its issuer hands it out. */
export interface IssuedToken {
  readonly token: string
  /**
   * When the token ends. A string is an ISO 8601 datetime with its offset; a number is seconds since
   * the epoch, or, from 100,000,000,000 on, milliseconds.
   */
  readonly expiresAt: string | number | Date
}

export interface RenewingTokenOptions {
  /**
   * Gets a first token. A call of the same client in here must be given the options, which keep it from
   * waiting for this very token.
   */
  obtain(options: { readonly auth: false }): Promise<IssuedToken>
  /** Gets a new token for one that is still valid; the options authenticate with the old one. */
  renew?:
    | ((token: string, options: { readonly auth: Credential<'bearer'> }) => Promise<IssuedToken>)
    | undefined
  /**
   * Milliseconds before the end of a token from which on it is renewed; at most half of its life counts.
   * Default: 60000, or a tenth of the token's life where that is shorter.
   */
  readonly margin?: number | undefined
}

/**
 * Sends a bearer token that is obtained when first needed and renewed before it ends (seed section 5).
 * Calls at the same time share one obtaining; while a token is being renewed, the old one serves. Where
 * renewing fails or the service refuses a token (401), one is obtained anew. A token that has not been
 * refused serves for 30 s at least, however far this machine's clock is ahead.
 *
 * What `obtain` throws, the waiting calls throw.
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

/** Wait between two renewals, failed or of the shortest lives: every call would start one otherwise. */
const renewalPause = 1000

/**
 * What a token serves at least, unless it is refused: one that seems to have ended on arrival shows that the
 * clocks differ, and every call would obtain another.
 */
const leastLife = 30_000

class RenewingToken implements Credential<'bearer'> {
  readonly kind = 'bearer'
  readonly #options: RenewingTokenOptions
  #held: HeldToken | undefined
  #issuing: Promise<HeldToken> | undefined
  /** True while `obtain` or `renew` runs up to its first await. */
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
      throw new TypeError('obtain calls an operation that needs this token: pass it the options it was given')
    }
    return this.#issueOnce().then((issued) => issued.token)
  }

  #renewAside(held: HeldToken): void {
    // The old token still serves: whoever needs a new one will see the failure.
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
        // A refused renewal is what obtaining is for.
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
    const told = instant(expiresAt) - now
    const life = told > 0 ? told : leastLife
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
  if (Number.isNaN(time)) throw new TypeError(`expiresAt of the token is no time: ${String(expiresAt)}`)
  return time
}
