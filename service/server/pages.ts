import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '@duet/runtime'
import { answer, answerProblem, pathOf } from './answer.js'

/** What is served beside the API's routes: the two documents and a page that leads to them; 404 for the rest. */
export function createPages(
  contract: Pick<Contract, 'title' | 'version' | 'openapi' | 'openrpc'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const json = 'application/json'
  const pages = new Map([
    ['/', { type: 'text/html; charset=utf-8', body: once(() => homePage(contract)) }],
    ['/openapi.json', { type: json, body: once(() => JSON.stringify(contract.openapi())) }],
    ['/openrpc.json', { type: json, body: once(() => JSON.stringify(contract.openrpc())) }],
  ])
  return (request, response) => {
    const page = pages.get(pathOf(request))
    if (page === undefined) {
      answerProblem(request, response, 'unknown_operation', 'Nothing is served at this path.')
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      answer(request, response, 200, page.type, page.body(), pageHeaders)
    } else {
      answerProblem(request, response, 'method_not_allowed', 'Only GET and HEAD.', { allow: 'GET, HEAD' })
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
