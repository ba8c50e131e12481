import { basename } from 'node:path'
import { InvalidTarget } from './cases/invalid-target.js'
import type { NoResponse, Target, TargetResponse } from './target.js'

/** Where servers usually have their document, below the address. */
const places = ['/openapi.json', '/openapi.yaml', '/swagger.json', '/v3/api-docs'] as const

/**
 * The document that a server publishes.
 *
 * @param path of the address, without a slash at its end
 * @throws InvalidTarget with one line that says what answered
 */
export async function servedDocument(
  target: Target,
  path: string,
): Promise<{ readonly name: string; readonly path: string; readonly text: string }> {
  const answers: (readonly [string, TargetResponse | NoResponse])[] = []
  for (const place of places) {
    const answer = await target.send({
      method: 'GET',
      url: path + place,
      headers: { accept: 'application/json, */*' },
    })
    if ('status' in answer && answer.status === 200 && isDocument(answer.body))
      return { name: nameOf(place, answer.body), path: path + place, text: answer.body }
    answers.push([place, answer])
    if (!('status' in answer)) break
  }
  const [[place, first] = ['', undefined]] = answers
  const address = target.origin + path
  if (first === undefined || !('status' in first)) throw new InvalidTarget(`${address} does not answer.`)
  throw new InvalidTarget(`${address}${place} ${answeredText(first)}. Name the document: --spec FILE.`)
}

/** What answered, as part of a sentence. */
function answeredText({ status, headers, body }: TargetResponse): string {
  const { location } = headers
  if (status >= 300 && status < 400 && location !== undefined)
    return `redirects to ${location} (${status}), which is not followed. If that is the server, test that address`
  if (/^\s*<(!doctype|html)/i.test(body)) return `answers with an HTML page (${status})`
  return status === 200 ? 'answers with something that is not an OpenAPI document' : `answers ${status}`
}

function isDocument(text: string): boolean {
  return /^\s*["']?(openapi|swagger)["']?\s*:|"(openapi|swagger)"\s*:/m.test(text)
}

function nameOf(place: string, text: string): string {
  const isJson = text.trimStart().startsWith('{')
  return /\.(json|yaml)$/.test(place) ? basename(place) : `openapi.${isJson ? 'json' : 'yaml'}`
}
