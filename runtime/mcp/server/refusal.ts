import { builtInErrors, type ErrorCatalogue } from '../../contract/catalogue.js'
import type { HttpRequest } from '../../contract/http-request.js'
import { ProblemError } from '../../contract/problem.js'
import { cut } from '../../contract/problem-size.js'
import type { Failure } from '../../server/outcome/outcome.js'
import { kinds, McpError } from './mcp-error.js'
import type { ServedTool } from './tools.js'

/** A refusal that HTTP has a status for, so that clients ask for credentials. */
export class UnauthorizedError extends Error {
  override readonly name = 'UnauthorizedError'
  readonly failure: Failure
  readonly tool: ServedTool

  constructor(failure: Failure, tool: ServedTool) {
    super('The credentials are refused')
    this.failure = failure
    this.tool = tool
  }
}

/** Whether a failure is such a refusal. */
export function isUnauthorized({ problem, challenge }: Failure): boolean {
  return problem.status === 401 || (problem.status === 403 && challenge !== undefined)
}

/** The status of an error that refuses credentials; undefined for any other error. */
export function refusalStatus(error: unknown, errors: ErrorCatalogue): 401 | 403 | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const all: ErrorCatalogue = { ...builtInErrors, ...errors }
  const status = all[error.code]?.status
  return status === 401 || status === 403 ? status : undefined
}

export function unknownTool(name: unknown): McpError {
  if (typeof name !== 'string') return new McpError(kinds.invalidParams, '`name` must be a string.')
  return new McpError(kinds.invalidParams, `There is no tool ${JSON.stringify(cut(name, LONGEST_NAME))}.`)
}

/**
 * A page of another site must not call tools in its reader's name. The host of the request says nothing: a site may
 * give its own name to this address.
 *
 * @throws ProblemError `forbidden`
 */
export function checkOrigin({ headers: { origin } }: HttpRequest, allowed: ReadonlySet<string>): void {
  if (origin === undefined || allowed.has(origin)) return
  if (URL.canParse(origin) && LOCAL.has(new URL(origin).hostname)) return
  const detail = 'Pages of this origin may not call tools. The option mcp.origins lists those that may.'
  throw new ProblemError('forbidden', { detail })
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const LONGEST_NAME = 100
