import type { Int64Graph } from './operation.js'

/** An entry of the error catalogue: a problem code's status and title in each protocol. */
export interface ErrorDefinition {
  readonly title: string
  /** HTTP status over REST. */
  readonly status: number
  /** `error.code` over JSON-RPC. */
  readonly rpc: number
  /** HTTP status of the JSON-RPC response, if not 200 (seed section 5: invalid API key, 401). */
  readonly rpcStatus?: number
  /**
   * Positions of int64 integers in the problems' extension members. Absent: there are none, or programs have
   * them as numbers.
   */
  readonly int64?: { readonly as: 'bigint' | 'string'; readonly graph: Int64Graph }
}

/** Problem codes and their entries: {@link builtInErrors}, overridden by the document's `x-errors`. */
export type ErrorCatalogue = Readonly<Record<string, ErrorDefinition>>

/**
 * Codes that the runtime itself answers with. -32700 to -32600 are JSON-RPC 2.0 section 5.1; -32005 is from
 * seed section 7; the rest of -320xx are Duet's.
 */
export const builtInErrors = {
  parse_error: { title: 'Malformed body', status: 400, rpc: -32700 },
  invalid_request: { title: 'Invalid request', status: 400, rpc: -32600 },
  unknown_operation: { title: 'Unknown operation', status: 404, rpc: -32601 },
  method_not_allowed: { title: 'Method not allowed', status: 405, rpc: -32600, rpcStatus: 405 },
  payload_too_large: { title: 'Payload too large', status: 413, rpc: -32600, rpcStatus: 413 },
  unsupported_media_type: { title: 'Unsupported media type', status: 415, rpc: -32600, rpcStatus: 415 },
  validation_failed: { title: 'Validation failed', status: 400, rpc: -32602 },
  internal_error: { title: 'Internal error', status: 500, rpc: -32603 },
  not_implemented: { title: 'Not implemented', status: 501, rpc: -32603 },
  unauthenticated: { title: 'Authentication required', status: 401, rpc: -32001 },
  invalid_api_key: { title: 'Invalid API key', status: 401, rpc: -32001, rpcStatus: 401 },
  invalid_token: { title: 'Invalid token', status: 401, rpc: -32005 },
  forbidden: { title: 'Forbidden', status: 403, rpc: -32043 },
  not_found: { title: 'Not found', status: 404, rpc: -32004 },
  conflict: { title: 'Conflict', status: 409, rpc: -32009 },
  version_sunset: { title: 'Version no longer served', status: 410, rpc: -32010 },
  precondition_failed: { title: 'Precondition failed', status: 412, rpc: -32012 },
  rate_limited: { title: 'Too many requests', status: 429, rpc: -32029 },
  unavailable: { title: 'Service unavailable', status: 503, rpc: -32003 },
} as const satisfies ErrorCatalogue

export type BuiltInErrorCode = keyof typeof builtInErrors

/**
 * The key of the response for a status: the status, its range, or `default` (OpenAPI 3.1, Responses Object).
 */
export function responseOf(isDeclared: (response: string) => boolean, status: number): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find(isDeclared)
}
