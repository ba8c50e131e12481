import type { Document, Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { valueKeywords } from '../../document/vocabulary.js'

/** Whether a document has any extension `x-rpc-*`, so it was written for JSON-RPC. */
export function usesRpcExtensions(document: Document): boolean {
  const found = known.get(document) ?? searched(document.root)
  known.set(document, found)
  return found
}

const known = new WeakMap<Document, boolean>()

function searched(root: Json): boolean {
  const waiting: Json[] = [root]
  const seen = new Set<Json>()
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (!(isArray(part) || isObject(part)) || seen.has(part)) continue
    seen.add(part)
    if (isArray(part)) {
      for (const item of part) waiting.push(item)
      continue
    }
    for (const [key, value] of Object.entries(part)) {
      if (key.startsWith('x-rpc-')) return true
      if (!valueKeywords.has(key)) waiting.push(value)
    }
  }
  return false
}
