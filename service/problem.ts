import type { ErrorCode as ErrorCode1_0 } from '@billing/api/1.0.0'
import type { ErrorCode as ErrorCode1_1 } from '@billing/api/1.1.0'
import type { ErrorCode as ErrorCode2_0 } from '@billing/api/2.0.0-rc.1'
import { ProblemError, type ProblemErrorOptions } from 'duet-runtime'

/** A code that the catalogue of some version has: handlers and storage serve every version. */
export type ErrorCode = ErrorCode1_0 | ErrorCode1_1 | ErrorCode2_0

/** A problem of the service. A misspelt code does not compile. */
export function problem<Code extends ErrorCode>(
  code: Code,
  options?: ProblemErrorOptions,
): ProblemError<Code> {
  return new ProblemError(code, options)
}
