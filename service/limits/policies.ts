import type { ProblemError } from 'duet-runtime'
import { problem } from '../problem.js'
import type { Policy, Verdict } from './window.js'

/** The configured amounts; 0 is no limit. */
export interface LimitSettings {
  /** Calls per minute and user. */
  readonly callsPerMinute: number
  /** Failed authentications per minute and address. */
  readonly failuresPerMinute: number
  /** Anonymous calls per minute and address. */
  readonly anonymousPerMinute: number
  /** Percent of one core per user. An address without good credentials gets half of it. */
  readonly processorShare: number
}

/** A policy of which a problem can say what it counts. */
export interface CountedPolicy extends Policy {
  readonly name: keyof typeof amounts
}

export type Policies = ReturnType<typeof policiesOf>

export function policiesOf(settings: LimitSettings) {
  const { callsPerMinute, failuresPerMinute, anonymousPerMinute, processorShare } = settings
  return {
    calls: { name: 'user', limit: callsPerMinute, seconds: 60 },
    byAddress: { name: 'address', limit: failuresPerMinute, seconds: 60 },
    byKey: { name: 'key', limit: Math.ceil(failuresPerMinute * keyShare), seconds: 60 },
    byLogin: { name: 'login', limit: Math.ceil(failuresPerMinute * loginShare), seconds: 900 },
    bySecondFactor: { name: 'factor', limit: Math.ceil(failuresPerMinute * factorShare), seconds: 900 },
    anonymous: { name: 'anonymous', limit: anonymousPerMinute, seconds: 60 },
    processor: processorPolicy(processorShare),
    anonymousProcessor: processorPolicy(processorShare / 2),
  } satisfies Record<string, CountedPolicy>
}

/** Whole microseconds, in which processor time is counted. */
export function processorAmount(milliseconds: number): number {
  return Math.round(milliseconds * 1000)
}

/** The problem of a caller that has reached the limit of a policy. */
export function rateLimited(
  { name, limit, seconds }: CountedPolicy,
  verdict: Verdict,
): ProblemError<'rate_limited'> {
  return problem('rate_limited', {
    detail: `${amounts[name](limit)} in ${seconds} s are allowed. Try again in ${verdict.seconds} s.`,
    retryAfter: verdict.seconds,
  })
}

/** In a longer stretch one caller could take the whole processor for longer before it is refused. */
const processorSeconds = 10

function processorPolicy(percent: number): CountedPolicy {
  const limit = processorAmount(percent * (processorSeconds / 100) * 1000)
  return { name: 'processor', limit, seconds: processorSeconds }
}

const failures = (limit: number) => `${limit} failed authentications`

/** What the limit of each policy counts, by its name. */
const amounts = {
  user: (limit) => `${limit} calls`,
  anonymous: (limit) => `${limit} anonymous calls`,
  processor: (limit) => `${limit / 1000} ms of processor time`,
  address: failures,
  key: failures,
  login: failures,
  factor: failures,
} satisfies Record<string, (limit: number) => string>

/** Shares of an address's failures. A proxy's whole traffic never tries a single key or password that often. */
const keyShare = 0.3
const loginShare = 0.05
/** Five in 15 minutes by default: a code has a million values, of which three are right at a time. */
const factorShare = 0.005
