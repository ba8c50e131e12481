import type { Violation } from 'duet-runtime'
import { isObject, parsed } from '../../../document/json.js'
import { nearness, type Way } from '../../change/place.js'
import type { HttpResponse } from './exchange.js'

/** Why a service refused a call. */
export interface Refusal {
  readonly status: number
  /** For JSON-RPC. */
  readonly rpcCode: number | undefined
  readonly title: string
  readonly violations: readonly Violation[]
  /** The other operation that took the call. */
  readonly taker?: string | undefined
}

/** Reads the problem of any protocol (RFC 9457; JSON-RPC 2.0 section 5.1; MCP, `CallToolResult`). */
export function refusalOf({ status, body }: HttpResponse): Refusal {
  const answered = parsed(body)
  const error = isObject(answered) && isObject(answered.error) ? answered.error : undefined
  const result = isObject(answered) && isObject(answered.result) ? answered.result : undefined
  const problem = error?.data ?? result?.structuredContent ?? (error === undefined ? answered : undefined)
  const known = isObject(problem) ? problem : {}
  const detail = typeof known.detail === 'string' && !repeating.test(known.detail) ? `: ${known.detail}` : ''
  return {
    // JSON-RPC sends most problems with 200.
    status: typeof known.status === 'number' ? known.status : status,
    rpcCode: typeof error?.code === 'number' ? error.code : undefined,
    title: `${String(known.title ?? error?.message ?? 'no problem object')}${detail}`,
    violations: Array.isArray(known.errors) ? known.errors.filter(isViolation) : [],
  }
}

/** The runtime's details that only repeat the call or the document. A service may word its own. */
const repeating = /^(?:No operation has the path|There is no method|Send (?:the|a)) /

/** The violation about a path, the closest first. */
export function violationAt(
  violations: readonly Violation[],
  way: Way,
  orAround = true,
): Violation | undefined {
  // A branch for null says nothing of a value that another branch refuses.
  const telling = violations.filter(({ message }) => message !== 'must be null')
  const by = (wanted: string) =>
    [...telling, ...violations].find(({ path }) => nearness(path, way) === wanted)
  return by('at') ?? by('within') ?? (orAround ? by('around') : undefined)
}

/** `/limit must be <= 100` */
export function said({ path, message }: Pick<Violation, 'path' | 'message'>): string {
  return path === '' ? message : `${path} ${message}`
}

function isViolation(value: unknown): value is Violation {
  return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string'
}
