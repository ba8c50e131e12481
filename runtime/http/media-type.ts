import type { HttpRequest } from '../contract/http-request.js'
import { ProblemError } from '../contract/problem.js'

/**
 * Refuses a body that is not plain JSON in UTF-8. A missing Content-Type counts as JSON. `also` lists media
 * types that count as JSON besides `application/json` and `application/*+json`. Throws
 * `unsupported_media_type`.
 */
export function checkMediaType({ headers }: HttpRequest, also: ReadonlySet<string> = NONE): void {
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json') {
    const essence = essenceOf(type)
    if (!isJson(essence) && !also.has(essence)) throw unsupported('The body must be application/json.')
    checkCharset(type)
  }
  checkEncoding(headers)
}

/** Media type in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** `application/json` and `application/*+json`. */
export function isJson(essence: string): boolean {
  return essence === 'application/json' || (essence.startsWith('application/') && essence.endsWith('+json'))
}

/** Whether a media type is within a range, or equals it: `image/png` is in `image/*`. */
export function isUnder(essence: string, range: string): boolean {
  if (range === '*/*' || essence === range) return true
  return range.endsWith('/*') && essence.startsWith(range.slice(0, -1))
}

/** Accepts only UTF-8. Throws `unsupported_media_type`. */
export function checkCharset(contentType: string): void {
  for (const [, name = '', value = ''] of contentType.toLowerCase().matchAll(PARAMETER)) {
    const charset = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value.trim()
    if (name.trim() === 'charset' && !UTF8.has(charset)) {
      throw unsupported('The body must be in UTF-8 (RFC 8259, section 8.1).')
    }
  }
}

/** Throws `unsupported_media_type` for a compressed body. */
export function checkEncoding(headers: HttpRequest['headers']): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw unsupported('The body must not be encoded: Content-Encoding may only be identity.')
  }
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported_media_type', { detail })
}

/** One parameter (RFC 9110, section 5.6.6); a quoted value may hold a semicolon. */
const PARAMETER = /;([^;="]*)=\s*("(?:[^"\\]|\\.)*"|[^;"]*)/g

const NONE: ReadonlySet<string> = new Set()

/** US-ASCII is a subset of UTF-8. */
const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])
