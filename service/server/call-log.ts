import type { CallEvent } from 'duet-runtime'
import type { Logger } from 'pino'
import type { Principal } from '../identity/principal.js'
import { clientAddress, type Sender, subjectOf, type TrustedProxies } from '../limits/client-address.js'
import type { FailedSignIn } from '../limits/password-attempts.js'

/** The log's lines of calls: one for each, as far as its caller has not had too many. */
export interface CallLog {
  /** Tells of a finished call. `sender` is who sent what was no request. */
  call(event: CallEvent<Principal>, sender?: Sender): void
  /** Called with a login that failed to sign in. */
  failedSignIn(failed: FailedSignIn): void
  /** Sums up what was left out so far. */
  sumUp(): void
  stop(): void
}

export interface CallLogOptions {
  /** LOG_LIMIT: lines of one caller in ten seconds, and of all refusals with one code; 0: any number. */
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
  /** Whether a line of this caller is written; else it is counted, and summed up later. */
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
  const addressOf = (sender: Sender | undefined) => sender && clientAddress(sender, trustedProxies)
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
        { requestId: sender.headers['x-request-id'], address, login: login.slice(0, mostLogin), code },
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
 * What a line that is no success tells. Each kind has lines of its own, so that a caller who is refused a lot hides
 * neither what went wrong here nor the logins that it tries.
 */
type Kind = 'refused' | 'failed' | 'sign-in'

/** What one caller, or one code, had of the log in this window. */
interface Share {
  readonly who: object
  calls: number
  /** Calls that have no line, by code. */
  readonly leftOut: Map<string, number>
}

/** Whoever comes when very many have a share already shares with all others that do. */
function shareOf(shares: Map<string, Share>, key: string, who: object): Share {
  const known = shares.get(key)
  if (known !== undefined) return known
  if (shares.size >= mostShares && key !== others) return shareOf(shares, others, {})
  const share: Share = { who, calls: 0, leftOut: new Map() }
  shares.set(key, share)
  return share
}

const windowMs = 10_000
/** Of the lines that a caller may have: a refused call costs its caller nothing. */
const refusedShare = 0.1
const mostShares = 10_000
const others = 'others'
const mostLogin = 100
