/** The revision without sessions: each request says what it needs. */
export const CURRENT = '2026-07-28'

/** Older revisions, the newest first. Their clients begin with `initialize`. */
export const OLDER: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

export const REVISIONS: readonly string[] = [CURRENT, ...OLDER]

/** A request of an older revision without a header for it. */
export const ASSUMED = '2025-03-26'

/** The members of `_meta` that the protocol defines. */
export const META = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const
