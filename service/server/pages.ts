import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CallEvent, type Contract, pathOf } from '@duet/runtime'
import { answer, answerOptions, answerProblem } from './answer.js'

/**
 * What is served beside the API's routes: the two documents and a page that leads to them; 404 for the rest.
 * `onRefusal` is told of each request that is refused, as the API tells of its calls.
 */
export function createPages(
  contract: Pick<Contract, 'title' | 'version' | 'openapi' | 'openrpc'>,
  onRefusal: (event: CallEvent<never>) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const json = 'application/json'
  const pages = new Map([
    [
      '/',
      { type: 'text/html; charset=utf-8', allow: 'GET, HEAD, POST', body: once(() => homePage(contract)) },
    ],
    [
      '/openapi.json',
      { type: json, allow: 'GET, HEAD', body: once(() => JSON.stringify(contract.openapi())) },
    ],
    [
      '/openrpc.json',
      { type: json, allow: 'GET, HEAD', body: once(() => JSON.stringify(contract.openrpc())) },
    ],
  ])
  return (request, response) => {
    const start = performance.now()
    const refuse = (code: 'unknown_operation' | 'method_not_allowed', detail: string, headers = {}) => {
      const requestId = answerProblem(request, response, code, detail, headers)
      const durationMs = performance.now() - start
      onRefusal({ operation: undefined, protocol: 'rest', requestId, principal: undefined, durationMs, code })
    }
    const page = pages.get(pathOf(request.url ?? '/'))
    if (page === undefined) {
      refuse('unknown_operation', 'Nothing is served at this path.')
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      answer(request, response, 200, page.type, page.body(), pageHeaders)
    } else if (request.method === 'OPTIONS') {
      answerOptions(request, response, page.allow)
    } else {
      refuse('method_not_allowed', `Only ${page.allow}.`, { allow: page.allow })
    }
  }
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
