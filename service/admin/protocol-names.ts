/** The protocols of calls, by the names that the service stores. */
export const protocolNames: ReadonlyMap<string, string> = new Map([
  ['rest', 'REST'],
  ['jsonrpc', 'JSON-RPC'],
  ['mcp', 'MCP'],
])
