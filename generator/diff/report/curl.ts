import type { Json, JsonObject } from '../../load/document.js'
import { isObject, own } from '../../load/json.js'

/** A call as a command line for a POSIX shell, which reads the service's address from `$BASE_URL`. */
export function curlOf(request: JsonObject): string {
  const method = textOf(own(request, 'method')) ?? 'GET'
  const headers = own(request, 'headers')
  const body = own(request, 'body')
  const url = textOf(own(request, 'url')) ?? '/'
  const named = isObject(headers) ? Object.entries(headers) : []
  const parts = [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(method === 'GET' && body === undefined ? [] : ['-X', word(method)]),
    addressed(url),
    ...named.flatMap(([name, value]) => ['-H', shellText(`${name}: ${textOf(value) ?? inertJson(value)}`)]),
    ...(body === undefined ? [] : ['--data-raw', shellText(textOf(body) ?? inertJson(body))]),
  ]
  return ['curl', ...parts].join(' ')
}

/** The same for a JSON-RPC envelope, which is posted to the service's base URL. */
export function curlOfEnvelope(envelope: JsonObject): string {
  return `curl "$BASE_URL/" -H 'Content-Type: application/json' --data-raw ${shellText(inertJson(envelope))}`
}

/** JSON in which whatever steers a terminal is spelt out. */
export function inertJson(value: Json | object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(unprintable, (found) =>
    found === '\n'
      ? found
      : found
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  )
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text of a document on one line, without what terminals, browsers and editors obey instead of showing it. */
export function inert(text: string): string {
  return text.replaceAll(unprintable, '\ufffd')
}

function addressed(url: string): string {
  return /^https?:\/\//.test(url) ? shellText(url) : `"$BASE_URL"${shellText(url)}`
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function word(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : shellText(text)
}

/** In single quotes a shell reads nothing but the end of them. */
function shellText(text: string): string {
  return `'${inert(text).replaceAll("'", "'\\''")}'`
}
