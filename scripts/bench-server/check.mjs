import { isDeepStrictEqual } from 'node:util'
import { apiKey } from './jobs.mjs'

/** Headers of every request. @param {import('./jobs.mjs').Request} request @returns {Record<string, string>} */
export function headersOf({ body }) {
  return { 'X-Api-Key': apiKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
}

/**
 * Throws if a server's response to a job is wrong. Expects the same JSON, 401 without a key, and a refusal of
 * invalid params.
 * @param {import('./process.mjs').Server} server @param {import('./jobs.mjs').Job} job @param {boolean}
 * validates
 */
export async function check({ name, url }, job, validates) {
  const { request, refused, answer } = job
  const fail = (/** @type {string} */ what) => {
    throw new Error(`${name}, ${job.protocol} ${job.name}: ${what}`)
  }
  const right = await send(url, request, headersOf(request))
  if (right.status !== 200 || !right.type?.startsWith('application/json'))
    fail(`${right.status} ${right.type}`)
  if (!isDeepStrictEqual(right.value, answer)) fail(`answered ${JSON.stringify(right.value).slice(0, 300)}`)
  const { 'X-Api-Key': _, ...keyless } = headersOf(request)
  const unknown = await send(url, request, keyless)
  if (unknown.status !== 401 && !isError(unknown.value)) fail(`let somebody in without a key`)
  if (!validates) return
  const wrong = await send(url, refused, headersOf(refused))
  if (wrong.status !== 400 && !isError(wrong.value)) fail(`took what is invalid: ${wrong.status}`)
}

/** @param {string} url @param {import('./jobs.mjs').Request} request @param {Record<string, string>} headers */
async function send(url, { method, path, body }, headers) {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  const type = response.headers.get('content-type')
  return { status: response.status, type, value: type?.includes('json') ? JSON.parse(text) : undefined }
}

/** Whether a JSON-RPC response, or each one of a batch, is an error. @param {any} value */
function isError(value) {
  return Array.isArray(value) ? value.every((each) => each.error !== undefined) : value?.error !== undefined
}
