import type { IncomingMessage } from 'node:http'
import { ProblemError } from '../core/problem.js'

/**
 * Refuses a body that is not plain JSON in UTF-8. No Content-Type counts as JSON. `also` names media types
 * that stand for JSON beside `application/json` and `application/*+json`. Throws `unsupported_media_type`.
 */
export function checkMediaType({ headers }: IncomingMessage, also: ReadonlySet<string> = NONE): void {
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json') checkContentType(type, also)
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw unsupported('The body must not be encoded: Content-Encoding may only be identity.')
  }
}

const NONE: ReadonlySet<string> = new Set()

function checkContentType(header: string, also: ReadonlySet<string>): void {
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const essence = type.trim()
  const suffixed = essence.startsWith('application/') && essence.endsWith('+json')
  if (essence !== 'application/json' && !suffixed && !also.has(essence)) {
    throw unsupported('The body must be application/json.')
  }
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    const charset = value.trim().replaceAll('"', '')
    if (name.trim() === 'charset' && charset !== 'utf-8' && charset !== 'utf8') {
      throw unsupported('The body must be in UTF-8 (RFC 8259, section 8.1).')
    }
  }
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported_media_type', { detail })
}
