import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Contract, failurePage, isPageRequest } from 'duet-runtime'
import { closest } from '../document/spelling.js'

/**
 * Answers a request that reaches no operation: 405 at the address of JSON-RPC, else 404 with the operations that have
 * the most similar paths: a page for browsers, else a problem. A service names none, since the comparison takes longer than a call.
 */
export function answerUnknownPath(
  contract: Contract,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { basePath = '', rpcPath = '/' } = contract
  const { method = 'GET', url = '/' } = request
  const path = url.replace(/[?#].*$/s, '')
  if (path === `${basePath}${rpcPath}` || (path === basePath && rpcPath === '/')) {
    const detail = 'JSON-RPC takes POST here. /reference/ has all operations.'
    refuse(contract, request, response, 'method_not_allowed', detail, { Allow: 'POST' })
  } else refuse(contract, request, response, 'unknown_operation', hintFor(contract, method, path))
}

function hintFor({ basePath = '', routes }: Contract, method: string, path: string): string {
  const shown = path.slice(0, 200)
  const isPage = path.startsWith('/reference/')
  const found = isPage ? `Nothing is served at ${shown}.` : `No operation has the path ${shown}.`
  const isOutside = basePath !== '' && path !== basePath && !path.startsWith(`${basePath}/`)
  const inner = isOutside ? path : path.slice(basePath.length) || '/'
  const near = routes
    .map((route) => ({ ...route, distance: distance(inner, route.path) }))
    .filter((route) => route.distance <= furthest)
    .sort((a, b) => a.distance - b.distance || Number(b.method === method) - Number(a.method === method))
    .slice(0, mostShown)
    .map((route) => `${route.method} ${basePath}${route.path}`)
  const base = isOutside ? ` Every path begins with ${basePath}.` : ''
  const similar = near.length > 0 ? ` Similar: ${near.join(', ')}.` : ' /reference/ has all operations.'
  return `${found}${base}${similar}`
}

function refuse(
  { errors }: Contract,
  request: IncomingMessage,
  response: ServerResponse,
  code: 'method_not_allowed' | 'unknown_operation',
  detail: string,
  headers: Record<string, string> = {},
): void {
  const { title = '', status = 404 } = errors[code] ?? {}
  if (isPageRequest(request)) {
    const heading = code === 'unknown_operation' ? 'Page not found' : title
    const { contentType, headers: own, text } = failurePage(heading, detail, links)
    response.writeHead(status, { ...headers, ...own, 'Content-Type': contentType }).end(text)
    return
  }
  const problem = { type: `urn:problem-type:${code}`, title, status, code, detail, requestId: randomUUID() }
  response.writeHead(status, { ...headers, 'Content-Type': 'application/problem+json' })
  response.end(JSON.stringify(problem))
}

const links = { '/reference/': { name: 'API reference', text: 'Every operation of this document.' } }

const mostShown = 3

/** Paths that differ more than by one wrong segment are no misspelling. */
const furthest = 1.5

/**
 * How far a path is from a template: 1 for each segment that is missing or too many, 1.5 for a wrong one, 0.5 for a
 * misspelt one, and 0.1 for a parameter. Infinite if they differ more than they agree.
 */
function distance(path: string, template: string): number {
  const [given, known] = [path.split('/'), template.split('/')]
  if (Math.abs(given.length - known.length) > furthest) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: known.length + 1 }, (_, index) => index)
  for (const [index, segment] of given.entries()) {
    const before = row
    row = [index + 1]
    for (const [at, other] of known.entries()) {
      const replaced = (before[at] ?? 0) + difference(segment, other)
      row.push(Math.min(replaced, (before[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1))
    }
  }
  const found = row[known.length] ?? 0
  const segments = Math.max(given.length, known.length) - 1
  return found <= segments * 0.5 ? found : Number.POSITIVE_INFINITY
}

function difference(segment: string, known: string): number {
  if (segment === known) return 0
  if (known.includes('{')) return segment === '' ? 1.5 : 0.1
  return segment.toLowerCase() === known.toLowerCase() || closest(segment, [known]) !== undefined ? 0.5 : 1.5
}
