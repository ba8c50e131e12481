import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../contract/contract.js'
import { failurePage } from './failure-page.js'
import { isPageRequest, pathOf } from './target.js'

export interface ReferenceOptions {
  /** The text of a file of the reference, such as `index.html`. Default: that of the generated package. */
  readonly read?: (name: string) => string | undefined | Promise<string | undefined>
  /** Answers what is no page of the reference. Default: 404 with a page to browsers, and false. */
  readonly notFound?: (request: IncomingMessage, response: ServerResponse) => unknown
}

/**
 * A fallback for `node()` that serves the generated reference at `/reference/`, and the documents that it links to.
 * Leads browsers there from `/` and from the address of JSON-RPC, and shows them a page where nothing is. Leaves
 * other requests to the api, and all if the package has no reference.
 */
export function referencePages(
  contract: Contract,
  { read = readerOf(contract), notFound = answerNotFound }: ReferenceOptions = {},
): (request: IncomingMessage, response: ServerResponse) => unknown {
  if (read === undefined) return () => false
  const { basePath = '', rpcPath = '/' } = contract
  const starts = new Set(['/', basePath, `${basePath}/`, basePath + rpcPath])
  const written = new Map<string, string>()
  const documentOf = (file: string): string | undefined => {
    const text = written.get(file) ?? documents[file]?.(contract)
    if (text !== undefined) written.set(file, text)
    return text
  }
  return (request, response) => {
    const { method, url = '/' } = request
    const path = pathOf(url)
    if (method !== 'GET' && method !== 'HEAD') return notFound(request, response)
    if (path === '/reference' || (starts.has(path) && isPageRequest(request)))
      return response.writeHead(path === '/reference' ? 308 : 302, { Location: '/reference/' }).end()
    const [, name] = /^\/reference\/([^/]*)$/.exec(path) ?? []
    const file = name === undefined ? path.slice(1) : name || 'index.html'
    const headers = name === undefined && documents[file] === undefined ? undefined : referenceHeaders(file)
    if (headers === undefined) return notFound(request, response)
    const answer = (text: string | undefined) => {
      if (text === undefined) return notFound(request, response)
      response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) })
      return response.end(method === 'HEAD' ? undefined : text)
    }
    const text = name === undefined ? documentOf(file) : read(file)
    return text instanceof Promise ? text.then(answer, () => response.destroy()) : answer(text)
  }
}

/** Headers of a file of the reference by its name. Undefined: it has none of such a type. */
export function referenceHeaders(
  name: string,
): (Record<string, string> & { 'content-type': string }) | undefined {
  const type = types[/\.[a-z]+$/.exec(name)?.[0] ?? '']
  if (type === undefined) return undefined
  return {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...(type.startsWith('text/html') && { 'content-security-policy': policy }),
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

/** The Content-Security-Policy of the pages themselves, plus frame-ancestors, which only a header can set. */
const policy =
  "default-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src *; " +
  "base-uri 'self'; form-action 'none'"

const documents: Readonly<Record<string, (contract: Contract) => string>> = {
  'openapi.json': ({ openapi }) => JSON.stringify(openapi()),
  'openrpc.json': ({ openrpc }) => JSON.stringify(openrpc()),
}

/** Reads each file once. Only names that the folder lists are read, so that no request leaves it. */
function readerOf({ module }: Contract): ((name: string) => string | undefined) | undefined {
  // A bundle's address may be of any scheme.
  if (module?.startsWith('file:') !== true) return undefined
  const folder = new URL('reference/', module)
  if (!existsSync(folder)) return undefined
  const known = new Map<string, string | undefined>(readdirSync(folder).map((name) => [name, undefined]))
  return (name) => {
    if (!known.has(name)) return undefined
    const text = known.get(name) ?? readFileSync(new URL(name, folder), 'utf8')
    known.set(name, text)
    return text
  }
}

function answerNotFound(request: IncomingMessage, response: ServerResponse): unknown {
  if (!isPageRequest(request)) return false
  const path = pathOf(request.url ?? '/')
  const shown = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
  const page = failurePage('Page not found', `Nothing is served at ${shown}.`, {
    '/reference/': { name: 'API reference', text: 'Every operation, over REST and JSON-RPC.' },
  })
  response.writeHead(404, { ...page.headers, 'Cache-Control': 'no-store', 'Content-Type': page.contentType })
  return response.end(request.method === 'HEAD' ? undefined : page.text)
}

/** Anybody can write a path of any length. */
const longestPath = 200
