import type { ErrorCatalogue } from '../../contract/catalogue.js'
import type { Caller } from '../../server/dispatch.js'
import { MissingCredentialsError } from '../../server/missing-credentials.js'
import { refusalStatus } from './refusal.js'
import type { ServedTool, ToolDescription } from './tools.js'

/** Why a caller receives no list. */
interface Refusal {
  readonly error: unknown
  readonly tool: ServedTool
}

/**
 * The tools that a caller may call. Without credentials these are the public ones. Credentials that no tool accepts are
 * refused, as they are in a call (RFC 6750, section 3.1): a shorter list would hide that a token has expired.
 *
 * @throws what is not a refusal of credentials, such as a limit of calls
 */
export async function callableTools<Principal>(
  tools: Iterable<ServedTool>,
  caller: Caller<Principal>,
  errors: ErrorCatalogue,
): Promise<readonly ToolDescription[] | Refusal> {
  const callable: ToolDescription[] = []
  let isKnown = false
  let first: Refusal | undefined
  let wrong: Refusal | undefined
  for (const tool of tools) {
    try {
      if ((await caller.principal(tool.procedure)) !== undefined) isKnown = true
      callable.push(tool.description)
    } catch (error) {
      const status = refusalStatus(error, errors)
      if (status === undefined) throw error
      first ??= { error, tool }
      // Callers without a scope are known.
      if (status === 403) isKnown = true
      else if (!(error instanceof MissingCredentialsError)) wrong ??= { error, tool }
    }
  }
  if (wrong !== undefined && !isKnown) return wrong
  return callable.length > 0 || first === undefined ? callable : first
}
