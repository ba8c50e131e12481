/** A JSON-RPC error of the protocol itself: not of a tool, whose failures are results. */
export class McpError extends Error {
  override readonly name = 'McpError'
  readonly code: number
  /** HTTP status under the current revision; the older ones know only 200. */
  readonly status: number
  readonly data: object | undefined

  constructor({ code, status }: ErrorKind, message: string, data?: object) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

interface ErrorKind {
  readonly code: number
  readonly status: number
}

/** Codes of JSON-RPC 2.0, and those that MCP 2026-07-28 adds. */
export const kinds = {
  invalidRequest: { code: -32600, status: 400 },
  unknownMethod: { code: -32601, status: 404 },
  /** Of the envelope that every request has. */
  invalidEnvelope: { code: -32602, status: 400 },
  invalidParams: { code: -32602, status: 200 },
  headerMismatch: { code: -32020, status: 400 },
  unsupportedRevision: { code: -32022, status: 400 },
} as const satisfies Record<string, ErrorKind>
