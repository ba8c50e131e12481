import type { CallEvent } from 'duet-runtime'
import type { Logger } from 'pino'
import type { Principal } from '../identity/principal.js'
import { clientAddress, type Sender, subjectOf, type TrustedProxies } from '../limits/client-address.js'
import type { FailedSignIn } from '../limits/password-attempts.js'

/** Logs one line per call, up to a limit per caller. */
export interface CallLog {
  /** Logs a finished call. `sender` is the sender of a malformed request. */
  call(event: CallEvent<Principal>, sender?: Sender): void
  /** Logs a failed sign-in. */
  failedSignIn(failed: FailedSignIn): void
  /** Logs a summary of the lines left out so far. */
  sumUp(): void
  stop(): void
}

export interface CallLogOptions {
  /** LOG_LIMIT: lines per ten seconds for one caller, and for all refusals with one code. 0: no limit. */
  readonly linesPerCaller: number
  readonly trustedProxies: TrustedProxies
}

export function createCallLog(log: Logger, { linesPerCaller, trustedProxies }: CallLogOptions): CallLog {
  const shares = new Map<string, Share>()
  const hasRoom = (key: string, limit: number, who: object, code: string): boolean => {
    const share = shareOf(shares, key, who)
    share.calls += 1
    if (share.calls <= limit) return true
    share.leftOut.set(code, (share.leftOut.get(code) ?? 0) + 1)
    return false
  }
  /** Whether to write a line of this caller. If not, counts it for the summary. */
  const mayWrite = (user: string | undefined, address: string | undefined, code: string, kind: Kind) => {
    if (linesPerCaller === 0) return true
    const subject = address === undefined ? undefined : subjectOf(address)
    const who = user === undefined ? { address: subject } : { user }
    const caller = user === undefined ? `address ${subject}` : `user ${user}`
    if (code === 'ok') return hasRoom(caller, linesPerCaller, who, code)
    const few = Math.ceil(linesPerCaller * refusedShare)
    if (!hasRoom(`${kind} ${caller}`, few, who, code)) return false
    return kind === 'failed' || hasRoom(`${kind} code ${code}`, linesPerCaller, {}, code)
  }
  const sumUp = () => {
    for (const { who, leftOut } of shares.values()) {
      if (leftOut.size > 0) log.info({ ...who, leftOut: Object.fromEntries(leftOut) }, 'calls left out')
    }
    shares.clear()
  }
  const timer = setInterval(sumUp, windowMs).unref()
  const addressOf = (sender: Sender | undefined) =>
    (sender && clientAddress(sender, trustedProxies)) || undefined
  return {
    call({ requestId, operation, protocol, principal, request, code = 'ok', durationMs, ...rest }, sender) {
      const { warning, error } = rest
      const address = addressOf(sender ?? request)
      const user = principal?.login
      if (!mayWrite(user, address, code, error === undefined ? 'refused' : 'failed')) return
      const line = {
        requestId,
        operation,
        protocol,
        user,
        address,
        code,
        durationMs: Math.round(durationMs * 1000) / 1000,
        warning,
      }
      if (error !== undefined) log.error({ ...line, err: error }, 'call')
      else if (warning !== undefined) log.warn(line, 'call')
      else log.info(line, 'call')
    },
    failedSignIn({ login, code, sender }) {
      const address = addressOf(sender)
      if (!mayWrite(undefined, address, code, 'sign-in')) return
      log.warn(
        {
          requestId: sender.headers['x-request-id'],
          address,
          login: login.slice(0, mostLoginCharacters),
          code,
        },
        'sign-in failed',
      )
    },
    sumUp,
    stop() {
      clearInterval(timer)
      sumUp()
    },
  }
}

/**
 * The kind of an unsuccessful call. Each kind has its own limit, so that many refusals of a caller hide neither our
 * errors nor the logins that it tries.
 */
type Kind = 'refused' | 'failed' | 'sign-in'

/** The log lines of one caller or one code in this window. */
interface Share {
  readonly who: object
  calls: number
  /** Calls without a line, by code. */
  readonly leftOut: Map<string, number>
}

/** The share of a caller. Beyond the greatest number of shares, all further callers have one in common. */
function shareOf(shares: Map<string, Share>, key: string, who: object): Share {
  const known = shares.get(key)
  if (known !== undefined) return known
  if (shares.size >= mostShares && key !== otherCallers) return shareOf(shares, otherCallers, {})
  const share: Share = { who, calls: 0, leftOut: new Map() }
  shares.set(key, share)
  return share
}

const windowMs = 10_000
/** The part of a caller's lines that refused calls may use, since they cost the caller nothing. */
const refusedShare = 0.1
const mostShares = 10_000
const otherCallers = 'others'
const mostLoginCharacters = 100
