import { type HttpRequest, ProblemError } from 'duet-runtime'
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

/** Limits attempts at passwords: those of an address at once, and the failures of a login. */
export class PasswordAttempts {
  readonly #options: PasswordAttemptsOptions
  /** Attempts under way, by address. */
  readonly #underWay = new Map<string, number>()
  readonly #logins = new WeakMap<ProblemError<string>, string>()

  constructor(options: PasswordAttemptsOptions) {
    this.#options = options
  }

  /**
   * Counts an attempt of an address until the returned function is called.
   * @throws ProblemError `rate_limited`
   */
  begin(request: HttpRequest): () => void {
    const { isLimited, subjectOf, onLimited } = this.#options
    const subject = subjectOf(request)
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

  /**
   * Tries a password. It counts as a failure of the login until it succeeds, or many could be tried at once.
   * @throws ProblemError `rate_limited`
   */
  async try<Result>(login: string, attempt: () => Promise<Result>): Promise<Result> {
    const { limiter, byLogin, onLimited } = this.#options
    const subject = digestOf(login)
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
