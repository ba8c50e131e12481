import { createHash } from 'node:crypto'
import {
  type AuthenticationCall,
  type Call,
  type CallEvent,
  type Credentials,
  type HttpRequest,
  ProblemError,
} from 'duet-runtime'
import type { Identity } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'
import type { Sender } from './client-address.js'
import type { RateLimiter } from './rate-limiter.js'
import { RecentlyKnown } from './recently-known.js'
import type { Policy, Verdict } from './window.js'

/** Who is let in, and how often. */
export interface Admission {
  /**
   * Whether a request may come in, as far as its head tells; else why not. Where its address has made too many calls of
   * nobody known, it takes a credential: one that was good before, or one that is tried as one of the address's failures.
   */
  enter(request: HttpRequest): (() => ProblemError<'rate_limited'>) | undefined
  /** Counts what was answered to nobody known, and is no call that {@link finished} is told of. */
  count(sender: Sender): void
  /**
   * Refuses what a request asks for where its caller has worked the processor for all of its share: a user whose
   * credential was found good, now or a short while ago, else the address.
   * @throws ProblemError `rate_limited`
   */
  admitWork(request: HttpRequest): void
  /** Counts milliseconds that a request has kept the processor. */
  worked(request: HttpRequest, milliseconds: number): void
  /** Counts a request that is no call, or a call without good credentials: for the user with good credentials, else for the address. */
  finished(event: Pick<CallEvent<Principal>, 'principal' | 'request'>): void
  /** Whether a credential of a request has been found good. */
  knows(request: HttpRequest): boolean
  /**
   * The principal, as `identity` finds it. Failures count against the caller's address and, of API keys, against how
   * the key begins.
   * @throws ProblemError `rate_limited` where there were too many, unless the key was good before
   */
  authenticate(credentials: Credentials<'apiKey' | 'jwt'>, call: AuthenticationCall): Promise<Principal>
  /**
   * Counts one call of a user, or, of nobody known, looks whether its address may make it. Answers what ends the call.
   * @throws ProblemError `rate_limited`
   */
  admit(call: Call<Principal>): () => void
  /** Counts what a call failed with. */
  failed(call: Call<Principal>, error: unknown): void
  /** An identity whose logins with a password are limited by login. */
  readonly identity: Identity
  /**
   * Looks for what a credential stands for, such as a session. Where that is nothing, it counts as a failure of the
   * address.
   * @throws ProblemError `rate_limited` where there were too many, unless the credential was good before
   */
  find<Found>(
    request: HttpRequest,
    credential: string,
    look: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>
  /**
   * Verifies a password that comes outside of any call, limited by address and by login.
   * @throws ProblemError `rate_limited`, or as `identity.verify` does
   */
  verify(request: HttpRequest, ...credentials: Parameters<Identity['verify']>): ReturnType<Identity['verify']>
}

export interface AdmissionOptions {
  readonly identity: Identity
  readonly limiter: RateLimiter
  /** Calls that a user may make each minute; 0: any number. */
  readonly callsPerMinute: number
  /** Failed authentications that an address may have each minute; 0: any number. */
  readonly failuresPerMinute: number
  /** Calls of nobody known that an address may make each minute; 0: any number. */
  readonly anonymousPerMinute: number
  /** Percent of one core that a user may take; an address without good credentials may take half of it. 0: no limit. */
  readonly processorShare: number
  /** What an address is counted as. */
  readonly subjectOf: (sender: Sender) => string
  /** All that a caller may be known by, good or not. */
  readonly credentialsOf: (sender: Sender) => readonly string[]
  /** Is told what the caller of a request has left. */
  readonly tell: (request: HttpRequest, policy: Policy, verdict: Verdict) => void
  /** Is told the policy of each call that is refused. */
  readonly onLimited: (policy: string) => void
  /** Is told of each sign-in with a password that failed. */
  readonly onFailedSignIn: (failed: FailedSignIn) => void
}

export interface FailedSignIn {
  /** As the caller wrote it. */
  readonly login: string
  readonly code: string
  readonly sender: Sender
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { identity, limiter, failuresPerMinute, subjectOf, credentialsOf, tell, onLimited } = options
  const calls: Policy = { name: 'user', limit: options.callsPerMinute, seconds: 60 }
  const byAddress: Policy = { name: 'address', limit: failuresPerMinute, seconds: 60 }
  const byKey: Policy = { name: 'key', limit: Math.ceil(failuresPerMinute * keyShare), seconds: 60 }
  const byLogin: Policy = { name: 'login', limit: Math.ceil(failuresPerMinute * loginShare), seconds: 900 }
  const anonymous: Policy = { name: 'anonymous', limit: options.anonymousPerMinute, seconds: 60 }
  const processorOf = (percent: number): Policy => ({
    name: 'processor',
    limit: percent * (processorSeconds / 100) * microseconds,
    seconds: processorSeconds,
  })
  const processor = processorOf(options.processorShare)
  const anonymousProcessor = processorOf(options.processorShare / 2)
  const known = new RecentlyKnown()
  const attempts = new Map<string, number>()
  /** Whose the requests are whose credential was found good; undefined: of one that is no user's by itself. */
  const somebody = new WeakMap<HttpRequest, string | undefined>()
  /** Requests whose credential counts as a failure until it has been found good. */
  const doubted = new WeakSet<HttpRequest>()
  /** Requests of which a call has been counted as a failure, and is none of nobody beside. */
  const failing = new WeakSet<HttpRequest>()
  /** Logins that a password was tried on, by what that failed with. */
  const logins = new WeakMap<ProblemError<string>, string>()

  const tooMany = ({ name, limit, seconds }: Policy, verdict: Verdict): ProblemError<'rate_limited'> => {
    onLimited(name)
    const amount =
      name === 'processor'
        ? `${(limit / microseconds) * 1000} ms of processor time`
        : `${limit} ${counted[name] ?? 'failed authentications'}`
    return new ProblemError('rate_limited', {
      detail: `${amount} in ${seconds} s are allowed; try again in ${verdict.seconds} s.`,
      retryAfter: verdict.seconds,
    })
  }
  const refuseBlocked = (request: HttpRequest | undefined, policy: Policy, subject: string) => {
    const verdict = limiter.look(policy, subject)
    if (verdict.allowed) return
    if (request !== undefined) tell(request, policy, verdict)
    throw tooMany(policy, verdict)
  }
  const wasGood = (sender: Sender) =>
    credentialsOf(sender).some((credential) => known.has(digestOf(credential)))
  const userOf = (request: HttpRequest) => {
    if (somebody.has(request)) return somebody.get(request)
    for (const credential of credentialsOf(request)) {
      const user = known.userOf(digestOf(credential))
      if (user !== undefined) return user
    }
    return undefined
  }
  const isUndecided = (request: HttpRequest) => {
    if (doubted.delete(request)) limiter.giveBack(byAddress, subjectOf(request))
  }
  const isGood = (request: HttpRequest, digest: string, user?: string) => {
    known.add(digest, user)
    somebody.set(request, user)
    isUndecided(request)
  }
  const isWrong = (request: HttpRequest) => {
    failing.add(request)
    if (!doubted.delete(request)) limiter.take(byAddress, subjectOf(request))
  }
  const count = (sender: Sender) => {
    if (anonymous.limit > 0 && !wasGood(sender)) limiter.take(anonymous, subjectOf(sender))
  }
  /** Begins to try a password. Answers what ends that. */
  const attempt = (request: HttpRequest): (() => void) => {
    const subject = subjectOf(request)
    const others = attempts.get(subject) ?? 0
    if (failuresPerMinute > 0 && others >= attemptsAtOnce) {
      onLimited('attempts')
      const detail = `${attemptsAtOnce} passwords of an address are tried at once; try again in 1 s.`
      throw new ProblemError('rate_limited', { detail, retryAfter: 1 })
    }
    attempts.set(subject, others + 1)
    return () => {
      const left = (attempts.get(subject) ?? 1) - 1
      if (left > 0) attempts.set(subject, left)
      else attempts.delete(subject)
    }
  }
  /** Counted before it is tried, or many at once would all be tried. */
  const tellFailed = (request: HttpRequest, error: unknown) => {
    if (!(error instanceof ProblemError)) return
    const login = logins.get(error)
    if (login !== undefined) options.onFailedSignIn({ login, code: error.code, sender: request })
  }
  const withLogin = <Thrown>(login: string, error: Thrown): Thrown => {
    if (error instanceof ProblemError) logins.set(error, login)
    return error
  }
  const byLoginOnly = async <Result>(login: string, attempt: () => Promise<Result>): Promise<Result> => {
    const subject = digestOf(login)
    const verdict = limiter.take(byLogin, subject)
    if (!verdict.allowed) throw withLogin(login, tooMany(byLogin, verdict))
    try {
      const result = await attempt()
      limiter.giveBack(byLogin, subject)
      return result
    } catch (error) {
      if (!isFailure(error)) limiter.giveBack(byLogin, subject)
      throw withLogin(login, error)
    }
  }
  const verify: Identity['verify'] = (login, password) =>
    byLoginOnly(login, () => identity.verify(login, password))
  return {
    enter(request) {
      const user = userOf(request)
      if (user !== undefined) {
        const verdict = limiter.look(processor, user)
        return verdict.allowed ? undefined : () => tooMany(processor, verdict)
      }
      const subject = subjectOf(request)
      const exhausted = [anonymous, anonymousProcessor].find(
        (policy) => !limiter.look(policy, subject).allowed,
      )
      if (exhausted === undefined || wasGood(request)) return undefined
      if (credentialsOf(request).length > 0 && limiter.take(byAddress, subject).allowed) {
        doubted.add(request)
        return undefined
      }
      return () => {
        const verdict = limiter.look(exhausted, subject)
        if (exhausted === anonymous) tell(request, anonymous, verdict)
        return tooMany(exhausted, verdict)
      }
    },
    admitWork(request) {
      const user = userOf(request)
      if (user !== undefined) refuseBlocked(undefined, processor, user)
      else if (!doubted.has(request) && !wasGood(request))
        refuseBlocked(undefined, anonymousProcessor, subjectOf(request))
    },
    worked(request, milliseconds) {
      if (processor.limit === 0) return
      const amount = Math.round(milliseconds * (microseconds / 1000))
      const user = userOf(request)
      if (user !== undefined) limiter.take(processor, user, amount)
      else limiter.take(anonymousProcessor, subjectOf(request), amount)
    },
    count,
    finished({ principal, request }) {
      if (principal !== undefined || request === undefined || failing.delete(request)) return
      const user = userOf(request)
      if (user === undefined) count(request)
      else limiter.take(calls, user)
    },
    knows: (request) => somebody.has(request),
    async authenticate(credentials, { request }) {
      const { apiKey, jwt } = credentials
      const credential = digestOf(apiKey ?? jwt ?? '')
      // Whoever was let in before is not locked out by others who guess from the same address.
      if (!known.has(credential)) {
        if (!doubted.has(request)) refuseBlocked(request, byAddress, subjectOf(request))
        if (apiKey !== undefined) refuseBlocked(request, byKey, prefixOf(apiKey))
      }
      try {
        const principal = await identity.authenticate(credentials)
        const user = String(principal.userId)
        isGood(request, credential, user)
        // Before a long body is read: what turns out to be no call has been counted too.
        refuseBlocked(request, calls, user)
        refuseBlocked(undefined, processor, user)
        return principal
      } catch (error) {
        if (!isFailure(error)) isUndecided(request)
        else {
          known.forget(credential)
          isWrong(request)
          if (apiKey !== undefined) limiter.take(byKey, prefixOf(apiKey))
        }
        throw error
      }
    },
    admit({ principal, request, operation }) {
      if (principal === undefined) {
        if (request === undefined) return ended
        if (!wasGood(request)) refuseBlocked(request, anonymous, subjectOf(request))
        if (!signsIn(operation)) return ended
        refuseBlocked(request, byAddress, subjectOf(request))
        return attempt(request)
      }
      refuseBlocked(undefined, processor, String(principal.userId))
      const verdict = limiter.take(calls, String(principal.userId))
      if (request !== undefined && calls.limit > 0) tell(request, calls, verdict)
      if (!verdict.allowed) throw tooMany(calls, verdict)
      return ended
    },
    failed({ principal, request, operation }, error) {
      if (principal !== undefined || request === undefined || !signsIn(operation)) return
      tellFailed(request, error)
      if (isFailure(error)) isWrong(request)
    },
    identity: {
      ...identity,
      login: (login, password) => byLoginOnly(login, () => identity.login(login, password)),
      verify,
    },
    async find(request, credential, look) {
      const digest = digestOf(credential)
      if (!known.has(digest) && !doubted.has(request)) refuseBlocked(undefined, byAddress, subjectOf(request))
      const found = await look()
      if (found === undefined) isWrong(request)
      else isGood(request, digest)
      return found
    },
    async verify(request, login, password) {
      refuseBlocked(undefined, byAddress, subjectOf(request))
      const end = attempt(request)
      try {
        return await verify(login, password)
      } catch (error) {
        tellFailed(request, error)
        if (isFailure(error)) isWrong(request)
        throw error
      } finally {
        end()
      }
    },
  }
}

/** What a policy counts, where it is no failed authentications. */
const counted: Readonly<Record<string, string>> = { user: 'calls', anonymous: 'calls of nobody known' }

/** `bk_` and 48 bits of a key, which no two keys share but by chance. */
function prefixOf(apiKey: string): string {
  return digestOf(apiKey.slice(0, 11))
}

/** A longer stretch would let one caller take the whole processor for longer before it is refused. */
const processorSeconds = 10
/** What processor time is counted in: counts are whole numbers. */
const microseconds = 1_000_000

/** Of the failures that an address may have: what is tried on one key or one password is no proxy's whole traffic. */
const keyShare = 0.3
const loginShare = 0.05

/** A password takes long to try, and few are tried at a time: one address must not keep all others waiting. */
const attemptsAtOnce = 10

function ended(): void {}

function signsIn(operation: string): boolean {
  return operation === 'iam.auth.jwt.authenticate'
}

function isFailure(error: unknown): boolean {
  return error instanceof ProblemError && failures.has(error.code)
}

const failures: ReadonlySet<string> = new Set(['invalid_api_key', 'invalid_token', 'invalid_credentials'])

/** What callers make up is kept as a digest: of one length, and telling nothing of a key. 128 bits of SHA-256. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
