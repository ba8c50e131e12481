import type { Json } from '../../document/document.js'
import type { Change, Proof } from '../change/change.js'
import type { Shown } from './calls/calls.js'

/** The proof from what a value showed. */
export function verified({ direction }: Change, value: Json, shown: Shown): Proof {
  const { basePath, rest, jsonrpc, jsonrpcPath, mcp, mcpPath, newAddress, credentials, rejects } = shown
  const isRequest = direction !== 'response'
  return {
    status: 'verified',
    value,
    ...(basePath !== undefined && { basePath }),
    ...(rest !== undefined && { rest }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    ...(jsonrpcPath !== undefined && { jsonrpcPath }),
    ...(mcp !== undefined && { mcp }),
    ...(mcpPath !== undefined && { mcpPath }),
    ...(newAddress !== undefined && { newAddress }),
    ...(credentials !== undefined && { credentials }),
    old: isRequest ? 'accepts' : rejects,
    new: isRequest ? rejects : 'accepts',
  }
}

export function unproven(reason: string): Proof {
  return { status: 'unproven', reason }
}
