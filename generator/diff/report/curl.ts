import type { Json, JsonObject } from '../../load/document.js'
import { isObject, own } from '../../load/json.js'
import type { Credentials } from '../change.js'
import { inert, inertJson } from './inert.js'

/**
 * A call as a command line for a POSIX shell, which reads the service's address from `$BASE_URL` and credentials from
 * variables that are named after them.
 */
export function curlOf(request: JsonObject, credentials: Credentials = none): string {
  const method = textOf(own(request, 'method')) ?? 'GET'
  const headers = own(request, 'headers')
  const body = own(request, 'body')
  const url = textOf(own(request, 'url')) ?? '/'
  const named = isObject(headers) ? Object.entries(headers) : []
  const parts = [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(method === 'GET' && body === undefined ? [] : ['-X', word(method)]),
    shellWord(addressOf(url, credentials.query)),
    ...named.flatMap(([name, value]) => headerOf(name, textOf(value) ?? inertJson(value), credentials)),
    ...(body === undefined ? [] : ['--data-raw', shellWord([textOf(body) ?? inertJson(body)])]),
  ]
  return ['curl', ...parts].join(' ')
}

/** The same for a JSON-RPC envelope, which is posted to the service's base URL. */
export function curlOfEnvelope(envelope: JsonObject, credentials: Credentials = none): string {
  const { headers, query } = credentials
  const url = query === '' ? '/' : `/?${query}`
  const parts = [
    shellWord(addressOf(url, query)),
    ...Object.entries(headers).flatMap(([name, value]) => headerOf(name, value, credentials)),
    ...headerOf('Content-Type', 'application/json', none),
    '--data-raw',
    shellWord([inertJson(envelope)]),
  ]
  return ['curl', ...parts].join(' ')
}

const none: Credentials = { headers: {}, query: '' }

/** Text, or a variable of the shell. */
type Part = string | { readonly variable: string }

function addressOf(url: string, query: string): Part[] {
  const base: Part[] = /^https?:\/\//.test(url) ? [] : [{ variable: 'BASE_URL' }]
  if (query === '' || !url.endsWith(query)) return [...base, url]
  const pairs = query.split('&').flatMap((pair, index): Part[] => {
    const [name = ''] = pair.split('=', 1)
    return [`${index === 0 ? '' : '&'}${name}=`, { variable: variableOf(name) }]
  })
  return [...base, url.slice(0, -query.length), ...pairs]
}

function headerOf(name: string, value: string, { headers }: Credentials): string[] {
  const isCredential = Object.hasOwn(headers, name) && headers[name] === value
  if (!isCredential) return ['-H', shellWord([`${name}: ${value}`])]
  const shown = value.replace(/any$/, '')
  const isBasic = /^basic /i.test(value)
  const said = name === 'cookie' ? value.split('=', 1).join() : name
  const variable = name === 'authorization' ? (isBasic ? 'CREDENTIALS' : 'TOKEN') : variableOf(said)
  return ['-H', shellWord([`${name}: ${shown}`, { variable }])]
}

/** `API_KEY` of `X-Api-Key`; of a name that does not say what it is too, since a shell may have a variable called so. */
function variableOf(name: string): string {
  const derived = name
    .replace(/^x-/i, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()
  return /^([A-Z][A-Z_]*_)?(KEY|TOKEN|SECRET)$/.test(derived) ? derived : 'API_KEY'
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function word(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : shellWord([text])
}

/**
 * One word of a shell: in double quotes where it has a variable and nothing else that those expand, else text in single
 * quotes, in which a shell reads nothing but the end of them.
 */
function shellWord(parts: readonly Part[]): string {
  const words = parts.map((part) => (typeof part === 'string' ? inert(part) : part))
  const hasVariable = words.some((part) => typeof part !== 'string')
  if (!hasVariable || words.some((part) => typeof part === 'string' && /["$`\\!]/.test(part)))
    return words.map((part) => (typeof part === 'string' ? shellText(part) : `"$${part.variable}"`)).join('')
  const texts = words.map((part, index) => {
    if (typeof part === 'string') return part
    const next = words[index + 1]
    return typeof next === 'string' && /^\w/.test(next) ? `\${${part.variable}}` : `$${part.variable}`
  })
  return `"${texts.join('')}"`
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
