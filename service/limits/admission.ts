import type {
  AuthenticationCall,
  Call,
  CallEvent,
  Credentials,
  HttpRequest,
  ProblemError,
} from 'duet-runtime'
import type { Identity } from '../identity/identity.js'
import { hashMs } from '../identity/password.js'
import type { Principal } from '../identity/principal.js'
import type { Sender } from './client-address.js'
import { digestOf, KnownCallers } from './known-callers.js'
import { isWrongCredential, PasswordAttempts, type PasswordAttemptsOptions } from './password-attempts.js'
import {
  type CountedPolicy,
  type LimitSettings,
  type Policies,
  policiesOf,
  processorAmount,
  rateLimited,
} from './policies.js'
import type { Policy, Verdict } from './window.js'

export interface AdmissionOptions
  extends LimitSettings,
    Omit<PasswordAttemptsOptions, 'byLogin' | 'isLimited' | 'countHash'> {
  readonly identity: Identity
  /** Every credential that a request sends, valid or not. */
  readonly credentialsOf: (sender: Sender) => readonly string[]
  /** Puts what the caller of a request has left into the response's headers. */
  readonly setHeaders: (request: HttpRequest, policy: Policy, verdict: Verdict) => void
}

/** Admits callers and limits how often they call. Beyond a limit a call fails with `rate_limited`. */
export class Admission {
  /** The given identity, with limits on the attempts at each login's password. */
  readonly identity: Identity<Sender>
  readonly #options: AdmissionOptions
  readonly #policies: Policies
  readonly #known: KnownCallers
  readonly #passwords: PasswordAttempts
  /** Requests that count as a failure of their address until their credential turns out to be valid. */
  readonly #doubted = new WeakSet<HttpRequest>()
  /** Requests that counted as a failure, and so do not count as an anonymous call. */
  readonly #failed = new WeakSet<HttpRequest>()

  constructor(options: AdmissionOptions) {
    const { identity, failuresPerMinute, credentialsOf } = options
    this.#options = options
    this.#policies = policiesOf(options)
    this.#known = new KnownCallers(credentialsOf)
    const passwords = new PasswordAttempts({
      ...options,
      byLogin: this.#policies.byLogin,
      isLimited: failuresPerMinute > 0,
      countHash: (sender, pair) => this.#countHash(sender, pair),
    })
    this.#passwords = passwords
    this.identity = {
      ...identity,
      login: (login, password, sender) =>
        passwords.try(login, sender, (hasher) => identity.login(login, password, hasher)),
      verify: (login, password, sender) =>
        passwords.try(login, sender, (hasher) => identity.verify(login, password, hasher)),
    }
  }

  /**
   * Admits a request by its head, or returns its refusal. After too many anonymous calls from its address a request
   * needs a credential: one that was valid recently, or an unknown one, which counts as a failure of the address until
   * it turns out to be valid.
   */
  enter(request: HttpRequest): (() => ProblemError<'rate_limited'>) | undefined {
    const { limiter } = this.#options
    const { processor, anonymous, anonymousProcessor, byAddress } = this.#policies
    const user = this.#known.userOf(request)
    if (user !== undefined) {
      const verdict = limiter.look(processor, user)
      return verdict.allowed ? undefined : () => this.#refusal(processor, verdict)
    }
    const subject = this.#subjectOf(request)
    const reached = [anonymous, anonymousProcessor].find((policy) => !limiter.look(policy, subject).allowed)
    if (reached === undefined || this.#known.knowsAny(request)) return undefined
    if (this.#known.hasCredentials(request) && limiter.take(byAddress, subject).allowed) {
      this.#doubted.add(request)
      return undefined
    }
    return () => {
      const verdict = limiter.look(reached, subject)
      return this.#refusal(reached, verdict, reached === anonymous ? request : undefined)
    }
  }

  /**
   * Refuses the work of a request whose user, or address without a user, has used up its share of the processor.
   * @throws ProblemError `rate_limited`
   */
  admitWork(request: HttpRequest): void {
    const { processor, anonymousProcessor } = this.#policies
    const user = this.#known.userOf(request)
    if (user !== undefined) this.#refuseBeyond(processor, user)
    else if (!this.#doubted.has(request) && !this.#known.knowsAny(request)) {
      this.#refuseBeyond(anonymousProcessor, this.#subjectOf(request))
    }
  }

  /** Counts the milliseconds of the processor that a request took. */
  countWork(request: HttpRequest, milliseconds: number): void {
    const { policy, subject } = this.#processorOf(request)
    this.#options.limiter.take(policy, subject, processorAmount(milliseconds))
  }

  /** Counts an answer to an anonymous sender for which {@link countFinished} is not called. */
  count(sender: Sender): void {
    const { anonymous } = this.#policies
    if (anonymous.limit === 0 || this.#known.knowsAny(sender)) return
    this.#options.limiter.take(anonymous, this.#subjectOf(sender))
  }

  /**
   * Counts an unauthenticated call, or a request without a call: for the user of its credential, else for its address. A
   * sign-in names its user, but is for anybody to call.
   */
  countFinished({
    operation = '',
    principal,
    request,
  }: Pick<CallEvent<Principal>, 'operation' | 'principal' | 'request'>): void {
    if (
      (principal !== undefined && !signsIn(operation)) ||
      request === undefined ||
      this.#failed.delete(request)
    )
      return
    const user = this.#known.userOf(request)
    if (user === undefined) this.count(request)
    else this.#options.limiter.take(this.#policies.calls, user)
  }

  /** Whether a credential of this request was valid. */
  isAuthenticated(request: HttpRequest): boolean {
    return this.#known.isAuthenticated(request)
  }

  /**
   * Finds the principal. Failures count for the caller's address and, with an API key, for the beginning of the key.
   * @throws ProblemError `rate_limited` after too many failures, unless the credential was valid recently
   */
  async authenticate(
    credentials: Credentials<'apiKey' | 'jwt'>,
    { request }: AuthenticationCall,
  ): Promise<Principal> {
    const { calls, byKey, processor } = this.#policies
    const { apiKey, jwt } = credentials
    const credential = apiKey ?? jwt ?? ''
    // Others who guess from the same address must not lock out a valid key.
    if (!this.#known.knows(credential)) {
      this.#refuseFailing(request, request)
      if (apiKey !== undefined) this.#refuseBeyond(byKey, prefixOf(apiKey), request)
    }
    try {
      const principal = await this.#options.identity.authenticate(credentials)
      const user = String(principal.userId)
      this.#acceptCredential(request, credential, user)
      // Before a long body is read. Requests that turn out to be no call count too.
      this.#refuseBeyond(calls, user, request)
      this.#refuseBeyond(processor, user)
      return principal
    } catch (error) {
      if (!isWrongCredential(error)) this.#endDoubt(request)
      else {
        this.#known.forget(credential)
        this.#recordFailure(request)
        if (apiKey !== undefined) this.#options.limiter.take(byKey, prefixOf(apiKey))
      }
      throw error
    }
  }

  /**
   * Counts a user's call. An anonymous one needs an address that may send it.
   * @throws ProblemError `rate_limited`
   */
  admit({ principal, request, operation }: Call<Principal>): void {
    const { calls, anonymous, byAddress, processor } = this.#policies
    if (principal === undefined) {
      if (request === undefined) return
      const subject = this.#subjectOf(request)
      if (!this.#known.knowsAny(request)) this.#refuseBeyond(anonymous, subject, request)
      if (signsIn(operation)) this.#refuseBeyond(byAddress, subject, request)
      return
    }
    const user = String(principal.userId)
    this.#refuseBeyond(processor, user)
    const verdict = this.#options.limiter.take(calls, user)
    if (!verdict.allowed) throw this.#refusal(calls, verdict, request)
    if (request !== undefined && calls.limit > 0) this.#options.setHeaders(request, calls, verdict)
  }

  /** Counts a call's failure. */
  countFailed({ principal, request, operation }: Call<Principal>, error: unknown): void {
    if (principal === undefined && request !== undefined && signsIn(operation)) {
      this.#recordSignInFailure(request, error)
    }
  }

  /**
   * Looks up a credential, such as a session's token. An unknown one counts as a failure of the address.
   * @throws ProblemError `rate_limited` after too many failures, unless the credential was valid recently
   */
  async find<Found>(
    request: HttpRequest,
    credential: string,
    look: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    if (!this.#known.knows(credential)) this.#refuseFailing(request)
    const found = await look()
    if (found === undefined) this.#recordFailure(request)
    else this.#acceptCredential(request, credential)
    return found
  }

  /**
   * Verifies a password outside of a call, limited by address and by login.
   * @throws ProblemError `rate_limited`, or what `identity.verify` throws
   */
  async verify(
    request: HttpRequest,
    login: string,
    password: string,
  ): Promise<Awaited<ReturnType<Identity['verify']>>> {
    this.#refuseBeyond(this.#policies.byAddress, this.#subjectOf(request))
    try {
      return await this.identity.verify(login, password, request)
    } catch (error) {
      this.#recordSignInFailure(request, error)
      throw error
    }
  }

  /**
   * Tries a second factor, limited by address and by subject. Undefined: it is wrong.
   * @throws ProblemError `rate_limited`
   */
  async attempt<Result>(
    request: HttpRequest,
    { subject, login = '' }: { readonly subject?: string; readonly login?: string },
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const { byAddress, bySecondFactor } = this.#policies
    this.#refuseBeyond(byAddress, this.#subjectOf(request))
    const counted = subject === undefined ? undefined : digestOf(subject)
    // It counts as wrong until it turns out to be right, or many could be tried at once.
    const verdict = counted === undefined ? undefined : this.#options.limiter.take(bySecondFactor, counted)
    if (verdict?.allowed === false) throw this.#refusal(bySecondFactor, verdict)
    const result = await attempt()
    if (result === undefined) {
      this.#recordFailure(request)
      this.#options.onFailedSignIn({ login, code: 'invalid_credentials', sender: request })
    } else if (counted !== undefined) this.#options.limiter.giveBack(bySecondFactor, counted)
    return result
  }

  /**
   * Hashing runs in other threads, and one request can try many passwords: its work counts in advance, and no
   * credential exempts from it.
   */
  #countHash(sender: Sender, pair: string | undefined): void {
    const { policy, subject } =
      pair === undefined
        ? this.#processorOf(sender)
        : { policy: this.#policies.anonymousProcessor, subject: pair }
    const verdict = this.#options.limiter.take(policy, subject, processorAmount(hashMs()))
    if (!verdict.allowed) throw this.#refusal(policy, verdict)
  }

  /** Whose share of the processor a request uses. */
  #processorOf(sender: Sender): { readonly policy: CountedPolicy; readonly subject: string } {
    const { processor, anonymousProcessor } = this.#policies
    const user = this.#known.userOf(sender)
    if (user !== undefined) return { policy: processor, subject: user }
    return { policy: anonymousProcessor, subject: this.#subjectOf(sender) }
  }

  #subjectOf(sender: Sender): string {
    return this.#options.subjectOf(sender)
  }

  /** @param informed the request whose response gets the rate limit headers */
  #refusal(policy: CountedPolicy, verdict: Verdict, informed?: HttpRequest): ProblemError<'rate_limited'> {
    if (informed !== undefined && policy.limit > 0) this.#options.setHeaders(informed, policy, verdict)
    this.#options.onLimited(policy.name)
    return rateLimited(policy, verdict)
  }

  #refuseBeyond(policy: CountedPolicy, subject: string, informed?: HttpRequest): void {
    const verdict = this.#options.limiter.look(policy, subject)
    if (!verdict.allowed) throw this.#refusal(policy, verdict, informed)
  }

  #refuseFailing(request: HttpRequest, informed?: HttpRequest): void {
    if (!this.#doubted.has(request)) {
      this.#refuseBeyond(this.#policies.byAddress, this.#subjectOf(request), informed)
    }
  }

  #acceptCredential(request: HttpRequest, credential: string, user?: string): void {
    this.#known.add(request, credential, user)
    this.#endDoubt(request)
  }

  #recordFailure(request: HttpRequest): void {
    this.#failed.add(request)
    if (this.#doubted.delete(request)) return
    this.#options.limiter.take(this.#policies.byAddress, this.#subjectOf(request))
  }

  /** Gives back the failure that a doubted request counted as. */
  #endDoubt(request: HttpRequest): void {
    if (!this.#doubted.delete(request)) return
    this.#options.limiter.giveBack(this.#policies.byAddress, this.#subjectOf(request))
  }

  #recordSignInFailure(request: HttpRequest, error: unknown): void {
    this.#passwords.report(request, error)
    if (isWrongCredential(error)) this.#recordFailure(request)
  }
}

function signsIn(operation: string): boolean {
  return operation === 'iam.auth.jwt.authenticate'
}

/** `bk_` and 48 bits of a key, which two keys share only by chance. */
function prefixOf(apiKey: string): string {
  return digestOf(apiKey.slice(0, 11))
}
