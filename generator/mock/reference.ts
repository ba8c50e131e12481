import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { type Contract, pathOf } from 'duet-runtime'
import type { Model } from '../model/model.js'
import { pageNames } from '../reference/address.js'
import { answerUnknownPath } from './unknown-path.js'

/**
 * Serves the reference of a mocked document at `/reference/`, and the documents that it links to. Generates
 * them on the first request. Undefined if operations have such paths.
 *
 * @returns what tells whether the request was for one of them and has its response
 */
export function referenceOf(
  model: Model,
  contract: Contract,
): ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined {
  const isFree = model.operations.every(({ rest }) => {
    const [, first = ''] = `${model.basePath}${rest.path}`.split('/')
    return !/^(reference|open(api|rpc)\.json)$|\{/.test(first)
  })
  if (!isFree) return undefined
  let pages: Promise<Map<string, string>> | undefined
  return (request, response) => {
    const { method, url = '/' } = request
    const path = pathOf(url)
    if (method !== 'GET' && method !== 'HEAD') return false
    if (!/^\/(reference(\/|$)|open(api|rpc)\.json$)/.test(path)) return false
    if (path === '/reference') {
      response.writeHead(308, { location: '/reference/' }).end()
      return true
    }
    const name = path === '/reference/' ? 'reference/index.html' : path.slice(1)
    pages ??= pagesOf(model, contract)
    pages.then(
      (all) => {
        const text = all.get(name)
        if (text === undefined) {
          answerUnknownPath(contract, request, response)
          return
        }
        const type = types[extname(name)] ?? 'text/plain'
        response.writeHead(200, { 'content-type': `${type}; charset=utf-8` })
        response.end(method === 'HEAD' ? undefined : text)
      },
      () => response.destroy(),
    )
    return true
  }
}

async function pagesOf(model: Model, contract: Contract): Promise<Map<string, string>> {
  const { emitReference } = await import('../reference/site.js')
  const { version } = model
  const versions = [{ version, pages: pageNames(model) }]
  const pages = await emitReference(model, { versions, module: `./${version}/client` })
  pages.set('openapi.json', JSON.stringify(contract.openapi()))
  return pages.set('openrpc.json', JSON.stringify(contract.openrpc()))
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
}
