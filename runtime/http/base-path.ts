import type { HttpRequest } from '../contract/http-request.js'
import { ProblemError } from '../contract/problem.js'
import { pathOf } from './target.js'

/** Throws an Error if the path is not absolute. */
export function checkedBasePath(basePath: string): string {
  const path = basePath.replace(/\/+$/, '')
  if (path === '' || /^(\/[^/?#\s]+)+$/.test(path)) return path
  throw new Error(`basePath is ${JSON.stringify(basePath)}, which is not a path such as /v1`)
}

/**
 * A target of a request below the base path; undefined if it is elsewhere. Under Express, a mount that ends with
 * the base path has removed it already.
 */
export function below(basePath: string, request: HttpRequest, url: string): string | undefined {
  if (basePath === '' || mountOf(request).endsWith(basePath)) return url
  const path = pathOf(url)
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return undefined
  const mark = url.indexOf('?')
  return (path.slice(basePath.length) || '/') + (mark === -1 ? '' : url.slice(mark))
}

/** Refuses a path that is not below the base path, a new caller's most likely mistake. */
export function outsideBase(basePath: string, request: HttpRequest): ProblemError {
  const detail = `Every path of this service begins with ${mountOf(request)}${basePath}.`
  return new ProblemError('unknown_operation', { detail })
}

/** The path at which Express has mounted the api; the Fastify plugin puts its prefix in the same property. */
function mountOf(request: HttpRequest): string {
  const mount: unknown = Reflect.get(request, 'baseUrl')
  return typeof mount === 'string' ? mount : ''
}
