// An emitter that a config file names: a Postman collection (format 2.1) with both protocols of every operation.
import type { Emitter, EmitterTools, Model, Operation, SentRequest } from 'duet-api'

export const emitter: Emitter = {
  name: 'collection',
  emit: async (model, tools) => {
    const { file = 'postman.json' } = tools.options
    if (typeof file !== 'string') throw new TypeError('options.file is not a path')
    return [[file, `${JSON.stringify(await collectionOf(model, tools), null, 2)}\n`]]
  },
}

interface Header {
  readonly key: string
  readonly value: string
}

interface Credentials {
  readonly headers: readonly Header[]
  readonly query: readonly Header[]
}

async function collectionOf(model: Model, tools: EmitterTools): Promise<object> {
  const folders = new Map<string, object[]>()
  for (const operation of model.operations) {
    const folder = folders.get(operation.namespace) ?? []
    folder.push(await restItem(model, operation, tools))
    if (operation.rpc !== false) folder.push(rpcItem(model, operation, operation.rpc, tools))
    folders.set(operation.namespace, folder)
  }
  return {
    info: {
      name: `${model.title} ${model.version}`,
      description: model.description ?? '',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: Array.from(folders, ([name, item]) => ({ name, item })),
    variable: [
      { key: 'baseUrl', value: `http://127.0.0.1:8080${model.basePath}` },
      { key: 'timezone', value: 'UTC' },
      ...Array.from(model.securitySchemes.keys(), (scheme) => ({ key: variableOf(scheme), value: '' })),
    ],
  }
}

async function restItem(model: Model, operation: Operation, tools: EmitterTools): Promise<object> {
  const { method, path } = operation.rest
  const unsent: SentRequest = { method, target: path, headers: {} }
  const request = await tools.request(operation, tools.example(operation).params).catch(() => unsent)
  const credentials = credentialsOf(model, operation)
  const { 'content-type': type, ...others } = request.headers
  const headers = [
    ...Object.entries(others).map(([key, value]) => ({ key, value })),
    ...credentials.headers,
    ...(request.body === undefined || type === undefined ? [] : [{ key: 'content-type', value: type }]),
  ]
  return {
    name: `${operation.name} (REST)`,
    request: {
      method,
      description: descriptionOf(operation),
      header: headers,
      url: restUrl(operation, request.target, credentials.query),
      ...(request.body !== undefined && { body: jsonBody(request.body) }),
    },
    response: [],
  }
}

function rpcItem(model: Model, operation: Operation, method: string, tools: EmitterTools): object {
  const { headers, query } = credentialsOf(model, operation)
  const params = { ...tools.example(operation).params, __tz: '{{timezone}}' }
  return {
    name: `${operation.name} (JSON-RPC)`,
    request: {
      method: 'POST',
      description: descriptionOf(operation),
      header: [...headers, { key: 'content-type', value: 'application/json' }],
      url: urlOf([''], query, []),
      body: jsonBody(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, null, 2)),
    },
    response: [],
  }
}

/** Path params become variables of the request; query params that the example leaves out are there, disabled. */
function restUrl({ rest }: Operation, target: string, credentials: readonly Header[]): object {
  const [path = '', query = ''] = target.split('?', 2)
  const template = rest.path.split('/').slice(1)
  const sent = path.split('/').slice(1)
  const variables: Header[] = []
  const segments = template.map((segment, index) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1]
    if (name === undefined) return sent[index] ?? segment
    variables.push({ key: name, value: sent[index] ?? '' })
    return `:${name}`
  })
  const pairs = query.split('&').filter((pair) => pair !== '')
  const entries = pairs.map((pair) => {
    const [key = '', ...value] = pair.split('=')
    return { key, value: value.join('=') }
  })
  const shown = new Set(entries.map(({ key }) => decodeURIComponent(key)))
  const left = rest.parameters.filter(
    ({ in: place, name, style }) => place === 'query' && style !== 'deepObject' && !shown.has(name),
  )
  const disabled = left.map(({ name }) => ({ key: name, value: '', disabled: true }))
  return urlOf(segments, [...entries, ...credentials], variables, disabled)
}

function urlOf(
  path: readonly string[],
  query: readonly Header[],
  variable: readonly Header[],
  disabled: readonly object[] = [],
): object {
  const sent =
    path.length === 1 && path[0] === '' ? query : [...query, { key: '__tz', value: '{{timezone}}' }]
  const text = sent.map(({ key, value }) => `${key}=${value}`).join('&')
  return {
    raw: `{{baseUrl}}/${path.join('/')}${text === '' ? '' : `?${text}`}`,
    host: ['{{baseUrl}}'],
    path,
    query: [...sent, ...disabled],
    variable,
  }
}

/** The first alternative's credentials, as variables of the collection. */
function credentialsOf({ securitySchemes }: Model, { security }: Operation): Credentials {
  const headers: Header[] = []
  const query: Header[] = []
  for (const name of Object.keys(security[0] ?? {})) {
    const scheme = securitySchemes.get(name)
    const value = `{{${variableOf(name)}}}`
    if (scheme?.type === 'apiKey') {
      if (scheme.in === 'query') query.push({ key: scheme.name, value })
      else if (scheme.in === 'header') headers.push({ key: scheme.name, value })
      else headers.push({ key: 'Cookie', value: `${scheme.name}=${value}` })
    } else if (scheme?.type === 'http') {
      headers.push({ key: 'Authorization', value: `${scheme.scheme} ${value}` })
    } else if (scheme !== undefined && scheme.type !== 'mutualTLS') {
      headers.push({ key: 'Authorization', value: `Bearer ${value}` })
    }
  }
  return { headers, query }
}

function variableOf(scheme: string): string {
  return `auth_${scheme.replace(/\W/g, '_')}`
}

function descriptionOf({ summary, description }: Operation): string {
  return [summary, description].filter((text) => text !== undefined).join('\n\n')
}

function jsonBody(raw: string): object {
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
}
