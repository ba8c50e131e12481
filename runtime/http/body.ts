import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { checkDepth, type Json, parseJson } from '../core/json.js'
import { ProblemError } from '../core/problem.js'

/** Whether a request announces a body (RFC 9112, section 6). */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/**
 * Reads the JSON body of a request. Undefined where it is empty. What a body parser has put into
 * `request.body` is taken as it is; text and bytes are parsed here. Throws `parse_error` for malformed
 * JSON and UTF-8, `payload_too_large` beyond `limit` bytes.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<Json | undefined> {
  if (!request.readableDidRead) return jsonOf(await readBytes(request, limit))
  const parsed: unknown = Reflect.get(request, 'body')
  if (parsed instanceof Uint8Array) return jsonOf(Buffer.from(parsed))
  if (typeof parsed === 'string') return parsed === '' ? undefined : parseJson(parsed)
  if (parsed === undefined) return undefined
  checkDepth(parsed)
  return { value: parsed, inexact: [] }
}

/** What is read and dropped beyond the limit, so that the caller reads its 413 and keeps its connection. */
const DRAIN_FACTOR = 4

function jsonOf(bytes: Buffer): Json | undefined {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new ProblemError('parse_error', { detail: 'The body is not valid UTF-8.' })
  return parseJson(bytes.toString('utf8'))
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const most = limit * (1 + DRAIN_FACTOR)
    if (Number(request.headers['content-length']) > most) {
      reject(tooLarge(limit))
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) {
        chunks.push(chunk)
      } else if (length > most) {
        request.pause()
        reject(tooLarge(limit))
      }
    })
    request.on('end', () => {
      if (length > limit) reject(tooLarge(limit))
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length))
    })
    const lost = () => {
      if (!request.complete) reject(new ProblemError('invalid_request', { detail: 'The body ended early.' }))
    }
    request.on('error', lost)
    request.on('close', lost)
  })
}

function tooLarge(limit: number): ProblemError {
  return new ProblemError('payload_too_large', { detail: `A body may have ${limit} bytes.` })
}
