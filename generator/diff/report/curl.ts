import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import type { Credentials } from '../change/change.js'
import { inert, inertJson } from '../change/inert.js'
import { runsOf } from './runs.js'

/** What separates the parts of a command: a space, or a line break that puts each option on its own line. */
export type Separator = ' ' | ' \\\n  '

/**
 * A call as a command line for a POSIX shell. It reads the base URL, which has the server's path, from `$BASE_URL`, and
 * credentials from variables with their names.
 *
 * @param request its URL is below the base URL, or absolute
 */
export function curlOf(
  request: JsonObject,
  credentials: Credentials = none,
  between: Separator = ' ',
): string {
  const method = textOf(own(request, 'method')) ?? 'GET'
  const headers = own(request, 'headers')
  const body = own(request, 'body')
  const url = textOf(own(request, 'url')) ?? '/'
  const named = isObject(headers) ? Object.entries(headers) : []
  const { address, added } = addressOf(url, credentials.query, body !== undefined)
  const parts = [
    [
      'curl',
      ...(/[[\]{}]/.test(url) ? ['-g'] : []),
      ...methodWords(method, body !== undefined),
      shellWord(address),
    ].join(' '),
    ...added,
    ...named.map(([name, value]) => headerOf(name, textOf(value) ?? inertJson(value), credentials)),
  ]
  const text = body === undefined ? '' : (textOf(body) ?? inertJson(body))
  if (body === undefined) return parts.join(between)
  if (inert(text) === text) return [...parts, `--data-raw ${shellText(text)}`].join(between)
  return `printf '%b' ${shellText(escaped(text))} | ${[...parts, '--data-binary @-'].join(between)}`
}

/** Text for `printf '%b'` (POSIX), with invisible characters escaped. */
function escaped(text: string): string {
  return [...text]
    .map((sign) => {
      if (sign === '\\') return '\\\\'
      if (inert(sign) === sign) return sign
      const known = ({ '\r': '\\r', '\n': '\\n', '\t': '\\t' } as const)[sign]
      return (
        known ??
        [...new TextEncoder().encode(sign)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
      )
    })
    .join('')
}

/** The command line for a JSON-RPC envelope. It is posted to the service's base URL, or to `path` on it. */
export function curlOfEnvelope(
  envelope: JsonObject,
  credentials: Credentials = none,
  between: Separator = ' ',
  path = '/',
): string {
  const { headers, query } = credentials
  const { address, added } = addressOf(query === '' ? path : `${path}?${query}`, query, true)
  return [
    `curl ${shellWord(address)}`,
    ...added,
    ...Object.entries(headers).map(([name, value]) => headerOf(name, value, credentials)),
    headerOf('Content-Type', 'application/json', none),
    `--data-raw ${shellWord([inertJson(envelope)])}`,
  ].join(between)
}

const none: Credentials = { headers: {}, query: '' }

/** Text, or a shell variable. */
type Part = string | { readonly variable: string }

/** The address without credentials, and the options that add those to its query, where curl encodes their values. */
function addressOf(
  url: string,
  query: string,
  hasBody: boolean,
): { readonly address: readonly Part[]; readonly added: readonly string[] } {
  const base: Part[] = /^https?:\/\//.test(url) ? [] : [{ variable: 'BASE_URL' }]
  if (query === '' || !url.endsWith(query)) return { address: [...base, url], added: [] }
  // curl 7.87 and later have --url-query. Older ones can do without, unless there is a body.
  const option = hasBody ? '--url-query' : '--data-urlencode'
  const added = query.split('&').map((one) => `${option} ${shellWord(splitVariables(one))}`)
  return {
    address: [...base, url.slice(0, -query.length - 1)],
    added: hasBody ? added : [`-G ${added.join(' ')}`],
  }
}

function headerOf(name: string, value: string, { headers }: Credentials): string {
  const credential = Object.hasOwn(headers, name) ? (headers[name] ?? '') : ''
  const isCookie = name.toLowerCase() === 'cookie'
  if (credential === '' || !(value === credential || (isCookie && value.startsWith(`${credential}; `))))
    // curl leaves out a header without a value, unless a semicolon ends its name.
    return `-H ${shellWord([value.trim() === '' ? `${name};` : `${name}: ${value}`])}`
  const others = value.slice(credential.length)
  const shown = isCookie ? splitVariables(credential, '; ') : splitVariables(credential)
  return `-H ${shellWord([`${name}: `, ...shown, others])}`
}

/** Splits a text into parts. If a part ends in a variable such as `$API_KEY`, the shell fills it in. */
function splitVariables(text: string, separator?: string): Part[] {
  const parts = separator === undefined ? [text] : text.split(separator)
  return parts.flatMap((part, index): Part[] => {
    const lead = index === 0 ? '' : (separator ?? '')
    const [, before = part, variable] = /^(.*)\$([A-Z][A-Z0-9_]*)$/s.exec(part) ?? []
    return variable === undefined ? [lead + part] : [lead + before, { variable }]
  })
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** With `-X HEAD` curl waits for a body that does not come. */
function methodWords(method: string, hasBody: boolean): readonly string[] {
  if (hasBody || !(method === 'GET' || method === 'HEAD')) return ['-X', word(method)]
  return method === 'HEAD' ? ['--head'] : []
}

function word(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : shellWord([text])
}

/**
 * One word of a shell command. It is in double quotes if it has a variable and no other character that those expand.
 * Otherwise its texts are in single quotes, where only the closing quote is special.
 */
function shellWord(parts: readonly Part[]): string {
  const words: Part[] = []
  for (const part of parts) {
    const last = words.at(-1)
    if (typeof part === 'string' && typeof last === 'string') words.splice(-1, 1, last + inert(part))
    else if (part !== '') words.push(typeof part === 'string' ? inert(part) : part)
  }
  const hasVariable = words.some((part) => typeof part !== 'string')
  const isPlain = (part: Part): boolean =>
    typeof part !== 'string' ||
    !(/["$`\\!]/.test(part) || runsOf(part).some((run) => typeof run !== 'string'))
  if (!hasVariable || !words.every(isPlain))
    return words.map((part) => (typeof part === 'string' ? shellText(part) : `"$${part.variable}"`)).join('')
  const texts = words.map((part, index) => {
    if (typeof part === 'string') return part
    const next = words[index + 1]
    return typeof next === 'string' && /^\w/.test(next) ? `\${${part.variable}}` : `$${part.variable}`
  })
  return `"${texts.join('')}"`
}

/** Long repetitions are built by the shell. */
function shellText(text: string): string {
  const quoted = (part: string): string => `'${part.replaceAll("'", "'\\''")}'`
  const parts = runsOf(text).map((part) => {
    if (typeof part === 'string') return quoted(part)
    const { unit, count } = part
    // `yes` would read a unit with a leading hyphen as an option.
    if (unit.startsWith('-')) return quoted(unit.repeat(count))
    return `"$(yes ${quoted(unit)} | head -n ${count} | tr -d '\\n')"`
  })
  return parts.join('') || quoted('')
}
