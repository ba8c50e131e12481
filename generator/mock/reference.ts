import { type Contract, type Fallback, referencePages } from 'duet-runtime'
import type { Model } from '../model/model.js'
import { pageNames } from '../reference/address.js'
import { answerUnknownPath } from './unknown-path.js'

/**
 * Serves the reference of a mocked document at `/reference/`, and the documents that it links to. Generates
 * it on the first request. Undefined if operations have such paths.
 */
export function referenceOf(model: Model, contract: Contract): Fallback | undefined {
  const isFree = model.operations.every(({ rest }) => {
    const [, first = ''] = `${model.basePath}${rest.path}`.split('/')
    return !/^(reference|open(api|rpc)\.json)$|\{/.test(first)
  })
  if (!isFree) return undefined
  let pages: Promise<Map<string, string>> | undefined
  return referencePages(contract, {
    async read(name) {
      pages ??= pagesOf(model)
      return (await pages).get(`reference/${name}`)
    },
    notFound: (request, response) => answerUnknownPath(contract, request, response),
  })
}

async function pagesOf(model: Model): Promise<Map<string, string>> {
  const { emitReference } = await import('../reference/site.js')
  const { version } = model
  const versions = [{ version, pages: pageNames(model) }]
  return emitReference(model, { versions, module: `./${version}/client` })
}
