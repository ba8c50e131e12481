import type { Protocol } from 'duet-runtime'

const names: { readonly [protocol in Protocol]: string } = { rest: 'REST', jsonrpc: 'JSON-RPC', mcp: 'MCP' }

/** The protocols of calls, by the names that the service stores. */
export const protocolNames: ReadonlyMap<string, string> = new Map(Object.entries(names))
