import { ProblemError } from 'duet-runtime'
import { LRUCache } from 'lru-cache'
import type { Hasher } from '../identity/hash-line.js'
import { type ErrorCode, problem } from '../problem.js'
import type { Sender } from './client-address.js'
import { digestOf } from './known-callers.js'
import { type CountedPolicy, rateLimited } from './policies.js'
import type { RateLimiter } from './rate-limiter.js'

export interface PasswordAttemptsOptions {
  readonly limiter: RateLimiter
  readonly byLogin: CountedPolicy
  /** Whether the attempts that an address makes at once are limited. */
  readonly isLimited: boolean
  /** The name under which a sender's address is counted. */
  readonly subjectOf: (sender: Sender) => string
  /**
   * Counts the work of a hash that is about to begin.
   * @param pair undefined: the address has not signed in with the login
   * @throws ProblemError `rate_limited`
   */
  readonly countHash: (sender: Sender, pair: string | undefined) => void
  /** Receives the policy that refused an attempt. */
  readonly onLimited: (policy: string) => void
  /** Receives each failed sign-in with a password. */
  readonly onFailedSignIn: (failed: FailedSignIn) => void
}

export interface FailedSignIn {
  /** As the caller wrote it. */
  readonly login: string
  readonly code: string
  readonly sender: Sender
}

/**
 * Limits attempts at passwords: those of an address at once, and the failures of a login. An address that has signed in
 * with a login has attempts of its own at it, which go before those of others.
 */
export class PasswordAttempts {
  readonly #options: PasswordAttemptsOptions
  /** Attempts under way, by their subject. */
  readonly #underWay = new Map<string, number>()
  /** Digests of an address and a login with which it has signed in. */
  readonly #pairs = new LRUCache<string, true>({ max: 10_000 })
  readonly #logins = new WeakMap<ProblemError<string>, string>()

  constructor(options: PasswordAttemptsOptions) {
    this.#options = options
  }

  /**
   * Tries a password.
   * @param sender undefined: a call of this process
   * @throws ProblemError `rate_limited`
   */
  async try<Result>(
    login: string,
    sender: Sender | undefined,
    attempt: (hasher: Hasher | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (sender === undefined) return this.#tryAt(login, digestOf(login), () => attempt(undefined))
    const { subjectOf, countHash } = this.#options
    const address = subjectOf(sender)
    const pair = digestOf(`${address} ${login}`)
    const isKnown = this.#pairs.has(pair)
    const subject = isKnown ? pair : address
    const begin = () => countHash(sender, isKnown ? pair : undefined)
    const end = this.#begin(subject)
    try {
      const result = await this.#tryAt(login, isKnown ? pair : digestOf(login), () =>
        attempt({ subject, isKnown, begin }),
      )
      this.#pairs.set(pair, true)
      return result
    } finally {
      end()
    }
  }

  /** An attempt counts as a failure of its subject until it succeeds, or many could be tried at once. */
  async #tryAt<Result>(login: string, subject: string, attempt: () => Promise<Result>): Promise<Result> {
    const { limiter, byLogin, onLimited } = this.#options
    const verdict = limiter.take(byLogin, subject)
    try {
      if (!verdict.allowed) {
        onLimited(byLogin.name)
        throw rateLimited(byLogin, verdict)
      }
      const result = await attempt()
      limiter.giveBack(byLogin, subject)
      return result
    } catch (error) {
      if (verdict.allowed && !isWrongCredential(error)) limiter.giveBack(byLogin, subject)
      if (error instanceof ProblemError) this.#logins.set(error, login)
      throw error
    }
  }

  /** Counts an attempt of a subject until the returned function is called. */
  #begin(subject: string): () => void {
    const { isLimited, onLimited } = this.#options
    const others = this.#underWay.get(subject) ?? 0
    if (isLimited && others >= mostAtOnce) {
      onLimited('attempts')
      const detail = `An address may try ${mostAtOnce} passwords at once. Try again in 1 s.`
      throw problem('rate_limited', { detail, retryAfter: 1 })
    }
    this.#underWay.set(subject, others + 1)
    return () => {
      const left = (this.#underWay.get(subject) ?? 1) - 1
      if (left > 0) this.#underWay.set(subject, left)
      else this.#underWay.delete(subject)
    }
  }

  /** Reports an error that an attempt threw. */
  report(sender: Sender, error: unknown): void {
    if (!(error instanceof ProblemError)) return
    const login = this.#logins.get(error)
    if (login !== undefined) this.#options.onFailedSignIn({ login, code: error.code, sender })
  }
}

/** Whether an error says that a credential is wrong. */
export function isWrongCredential(error: unknown): boolean {
  return error instanceof ProblemError && wrongCredential.has(error.code)
}

const wrongCredential: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_api_key',
  'invalid_token',
  'invalid_credentials',
])

/** Checking a password is slow, and few are checked at a time: one address must not keep all others waiting. */
const mostAtOnce = 10
