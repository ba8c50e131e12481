import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BuiltInErrorCode, type CallEvent, type Contract, pathOf } from 'duet-runtime'
import { answer, answerOptions, answerProblem } from '../http/answer.js'
import { escaped, once, type Page, textWithTag } from './page.js'

/**
 * Serves everything besides the routes of a version: the two documents, and the reference or, without one, a page with
 * links to the documents. Answers 404 for the rest. `onRefusal` receives each refused request, in the form of the API's
 * call events. `url` is the request's target without the version.
 */
export function createPages(
  contract: Pick<Contract, 'title' | 'version' | 'openapi' | 'openrpc'>,
  onRefusal: (event: CallEvent<never>) => void,
  { reference = new Map(), versions = [contract.version] }: PagesOptions = {},
): (request: IncomingMessage, response: ServerResponse, url?: string, refusal?: Refusal) => void {
  const pages = new Map<string, Page>([
    ['/', page('text/html; charset=utf-8', () => homePage(contract))],
    ['/openapi.json', page('application/json', () => JSON.stringify(contract.openapi()))],
    ['/openrpc.json', page('application/json', () => JSON.stringify(contract.openrpc()))],
    ...reference,
  ])
  return (request, response, url = request.url ?? '/', refusal) => {
    const start = performance.now()
    const refuse = (code: BuiltInErrorCode, detail: string, headers = {}) => {
      const requestId = answerProblem(request, response, code, detail, headers)
      const durationMs = performance.now() - start
      onRefusal({
        operation: undefined,
        protocol: 'rest',
        requestId,
        principal: undefined,
        request,
        durationMs,
        code,
      })
    }
    const path = pathOf(url)
    const folder = pages.has(path) ? undefined : pages.get(`${path}/`)
    const found = pages.get(path) ?? folder
    // JSON-RPC calls go to this path.
    const allow = path === '/' ? 'GET, HEAD, POST' : 'GET, HEAD'
    if (refusal !== undefined) {
      refuse(refusal.code, refusal.detail ?? '')
    } else if (found === undefined) {
      refuse(
        'unknown_operation',
        `Nothing is served at ${shortened(pathOf(request.url ?? '/'))}. Versions: ${versions.join(', ')}.`,
      )
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      if (folder === undefined) answerPage(request, response, found)
      else answerFolder(request, response)
    } else if (request.method === 'OPTIONS') {
      answerOptions(request, response, allow)
    } else {
      refuse('method_not_allowed', `Only ${allow}.`, { allow })
    }
  }
}

/** Anybody can write a path of any length. */
function shortened(path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
}
const longestPath = 200

/** Why calls of a request fail: pages answer the same. */
interface Refusal {
  readonly code: BuiltInErrorCode
  readonly detail: string | undefined
}

interface PagesOptions {
  /** Files of the version's reference, by their paths. */
  readonly reference?: ReadonlyMap<string, Page>
  /** Every version that is served. */
  readonly versions?: readonly string[]
}

function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  { type, headers, content }: Page,
): void {
  const { text, etag } = content()
  // A client that has the text gets 304 (RFC 9110 section 13.1.2).
  const isKnown = request.headers['if-none-match']
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag)
  if (isKnown) response.writeHead(304, { ...headers, etag }).end()
  else answer(request, response, 200, type, text, { ...headers, etag })
}

/** Redirects to the path with a final slash, where the relative links of the page work. Keeps the query. */
function answerFolder(request: IncomingMessage, response: ServerResponse): void {
  const { url = '/' } = request
  const [, query] = /(\?.*)$/.exec(url) ?? []
  const headers = { location: `${pathOf(url)}/${query ?? ''}`, 'cache-control': 'no-cache' }
  answer(request, response, 308, 'text/plain; charset=utf-8', '', headers)
}

function page(type: string, make: () => string): Page {
  return { type, headers: pageHeaders, content: once(() => textWithTag(make())) }
}

const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
}

function homePage({ title, version }: Pick<Contract, 'title' | 'version'>): string {
  const name = `${escaped(title)} ${escaped(version)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
</head>
<body>
<main>
<h1>${name}</h1>
<p>The same operations over REST and, by POST to this address, over JSON-RPC 2.0.</p>
<ul>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/openrpc.json">OpenRPC document</a></li>
<li><a href="/healthz">Health</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a></li>
</ul>
</main>
</body>
</html>
`
}
