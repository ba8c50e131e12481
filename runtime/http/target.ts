import type { HttpRequest } from '../contract/http-request.js'

/**
 * The path of a request target, still percent-encoded. Proxies send the absolute form (RFC 9112, section
 * 3.2.2).
 */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  if (path.startsWith('/')) return path
  return path.replace(ORIGIN, '') || '/'
}

/** Whether the path of a request target is percent-encoded UTF-8. */
export function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(pathOf(target))
    return true
  } catch {
    return false
  }
}

/** Whether a person follows a link: no client asks for HTML first. */
export function isPageRequest({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && /^text\/html\b/i.test(headers.accept ?? '')
}

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i
