import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import type { WireCall } from './wire-call.js'

/** A call with `requests`, the library that Python's own documentation recommends for HTTP. */
export function pythonCall(call: WireCall): string {
  const { method, target, key, headers, secrets, isBasic, body, answersJson } = call
  const sent = headers.filter(([name]) => !(name === 'Content-Type' && body !== undefined && 'json' in body))
  const fields = [
    ...secrets.map(({ header, value }) => {
      const parts = value.map((part) =>
        typeof part === 'string' ? text(part) : `os.environ[${text(part.variable)}]`,
      )
      return `${text(header)}: ${parts.join(' + ')}`
    }),
    ...sent.map(([name, value]) => `${text(name)}: ${text(value)}`),
  ]
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
  const options = [
    ...(known ? [] : [text(method)]),
    `os.environ["BASE_URL"]${target === '' ? '' : ` + ${text(target)}`}${key === undefined ? '' : ` + quote(os.environ[${text(key)}], safe="")`}`,
    // Requests writes text in Latin-1.
    ...(isBasic ? ['auth=(os.environ["API_USER"].encode(), os.environ["API_PASSWORD"].encode())'] : []),
    ...(fields.length === 0 ? [] : [`headers={${fields.join(', ')}}`]),
    ...(body === undefined
      ? []
      : ['json' in body ? `json=${value(body.json, 1)}` : `data=${text(body.text)}.encode()`]),
    'timeout=10',
  ]
  return [
    'import os',
    'import requests',
    ...(key === undefined ? [] : ['from urllib.parse import quote']),
    '',
    `response = requests.${known ? method.toLowerCase() : 'request'}(`,
    ...options.map((line) => `    ${line},`),
    ')',
    `print(response.status_code, response.${answersJson ? 'json()' : 'text'})`,
  ].join('\n')
}

/** JSON as a Python expression: on one line if it is short. */
function value(json: Json, depth: number): string {
  const flat = flatValue(json)
  if (flat.length <= 64) return flat
  const margin = '    '.repeat(depth + 1)
  const end = '    '.repeat(depth)
  if (isArray(json))
    return `[\n${json.map((item) => `${margin}${value(item, depth + 1)},\n`).join('')}${end}]`
  if (!isObject(json)) return flat
  const members = Object.entries(json).map(
    ([key, item]) => `${margin}${text(key)}: ${value(item, depth + 1)},\n`,
  )
  return `{\n${members.join('')}${end}}`
}

function flatValue(json: Json): string {
  if (json === null) return 'None'
  if (typeof json === 'boolean') return json ? 'True' : 'False'
  if (typeof json === 'number') return String(json)
  if (typeof json === 'string') return text(json)
  if (isArray(json)) return `[${json.map(flatValue).join(', ')}]`
  return `{${Object.entries(json)
    .map(([key, item]) => `${text(key)}: ${flatValue(item)}`)
    .join(', ')}}`
}

/** JSON's escapes are valid in Python too. */
function text(value: string): string {
  return JSON.stringify(value)
}
