import { ProblemError } from 'duet-runtime'
import { problem } from '../../problem.js'

// SQLSTATE classes and codes (PostgreSQL, appendix A): connection; read-only; timeouts; serialization failure or
// deadlock; disk, memory or connections exhausted; lock not available; shutdown.
const unavailableStates = /^(08...|25006|25P03|40001|40P01|53[0-3]00|55P03|57014|57P0[1-5])$/
const unavailableErrors = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|^ENOTFOUND$/
/**
 * The server ends or refuses the session, for example for a role without LOGIN or a database that allows no
 * connections.
 */
const isFatal = (error: Error) => 'severity' in error && error.severity === 'FATAL'
/** A Unix socket that is missing or not accessible also means that the server is out of service. */
const isConnect = (error: Error) => 'syscall' in error && error.syscall === 'connect'
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/i

export type Translate = (error: unknown) => unknown

/** The problem for a database that cannot serve now. `retryAfter` is in seconds. */
export function unavailable(detail: string, retryAfter = 1, cause?: unknown): ProblemError {
  return problem('unavailable', { detail, retryAfter, cause })
}

/** Translates errors of a database that cannot serve now into the problem `unavailable`, and reports them. */
export function translator(report: (error: Error) => void): Translate {
  return (error) => {
    if (!(error instanceof Error) || error instanceof ProblemError) return error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
    const isUnavailable =
      unavailableStates.test(code) ||
      unavailableErrors.test(code) ||
      isConnect(error) ||
      isFatal(error) ||
      unavailableMessages.test(error.message)
    if (!isUnavailable) return error
    report(error)
    return unavailable('The database is unavailable.', 1, error)
  }
}
