import type { Model } from './model.js'

/** The path of JSON-RPC on the service. A server's path is written as in the document, so no `/` ends it. */
export function rpcTarget({ basePath, rpcPath }: Pick<Model, 'basePath' | 'rpcPath'>): string {
  return basePath + rpcBelow({ basePath, rpcPath })
}

/** The path of JSON-RPC after the base URL. */
export function rpcBelow({ basePath, rpcPath }: Pick<Model, 'basePath' | 'rpcPath'>): string {
  return rpcPath === '/' && basePath !== '' ? '' : rpcPath
}
