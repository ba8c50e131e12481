import { ProblemError } from 'duet-runtime'
import { problem } from '../../problem.js'

// SQLSTATE classes and codes (PostgreSQL, appendix A): connection; read-only; timeouts; lost against another
// transaction; disk, memory or connections used up; lock not to be had; shutdown.
const unavailableStates = /^(08...|25006|25P03|40001|40P01|53[0-3]00|55P03|57014|57P0[1-5])$/
const unavailableErrors = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|^ENOTFOUND$/
/** The server ends the session, or refuses to begin one: a role that may not log in, a database that takes no connections. */
const isFatal = (error: Error) => 'severity' in error && error.severity === 'FATAL'
/** A server at a Unix socket that is not there, or that this process may not reach, is out of service as well. */
const isConnect = (error: Error) => 'syscall' in error && error.syscall === 'connect'
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/i

export type Translate = (error: unknown) => unknown

/** The problem that a database which can't serve now is. `retryAfter`: seconds. */
export function unavailable(detail: string, retryAfter = 1, cause?: unknown): ProblemError {
  return problem('unavailable', { detail, retryAfter, cause })
}

/** Turns what means that the database can't serve now into the problem `unavailable`, and reports it. */
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
    return unavailable('The database does not serve now.', 1, error)
  }
}
