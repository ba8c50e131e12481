import { answer, one, operation, put, type Tree, type Value, within } from './document.js'
import type { TextPosition } from './places.js'

/** An operation with one field. */
const field =
  (path: string, name: string, value: (text: string) => Value = (text) => text): TextPosition =>
  (document, text) =>
    operation(document, path, { [name]: value(text) })

/** An operation with one parameter. */
const parameter =
  (path: string, value: (text: string) => Tree): TextPosition =>
  (document, text) =>
    operation(document, path, {
      parameters: [{ name: 'p', in: 'query', schema: { type: 'string' }, ...value(text) }],
    })

/** An operation with a body of one media type. */
const body =
  (path: string, value: (text: string) => Value, media = 'application/json'): TextPosition =>
  (document, text) =>
    operation(document, path, { requestBody: { content: { [media]: value(text) } } }, 'post')

const response =
  (path: string, value: (text: string) => Tree): TextPosition =>
  (document, text) =>
    operation(document, path, { responses: { '200': { ...answer({ type: 'string' }), ...value(text) } } })

const text = (): Tree => ({ type: 'string' })

/** Positions in paths, operations, parameters, bodies, responses, links and callbacks. */
export const operationPlaces: Readonly<Record<string, TextPosition>> = {
  path: (document, payload) => operation(document, `/path/${payload}`),
  'path without a slash': (document, payload) => operation(document, payload),
  'path of a template': (document, payload) =>
    operation(document, `/template/{${payload}}`, {
      parameters: [{ name: payload, in: 'path', required: true, schema: text() }],
    }),
  'name in a template': (document, payload) =>
    operation(document, '/rpc-param/{id}', {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text(), 'x-rpc-param': payload }],
    }),
  verb: (document, payload) => operation(document, '/verb', {}, payload),
  'verb of 3.2': (document, payload) => {
    const verbs = within(document, 'paths', '/verb-of-32', 'additionalOperations')
    put(verbs, payload, { responses: { '200': { description: payload } } })
  },
  operationId: field('/operation-id', 'operationId'),
  'operationId with a dot': field('/operation-id-dotted', 'operationId', (value) => `hostile.${value}`),
  method: field('/method', 'x-rpc-method'),
  'method with a dot': field('/method-dotted', 'x-rpc-method', (value) => `hostile.${value}.get`),
  summary: field('/summary', 'summary'),
  description: field('/description', 'description'),
  'summary of a path': (document, payload) => {
    operation(document, '/described')
    put(within(document, 'paths', '/described'), 'summary', payload)
    put(within(document, 'paths', '/described'), 'description', payload)
  },
  stability: field('/stability', 'x-stability-level'),
  sunset: (document, payload) =>
    operation(document, '/sunset', { deprecated: true, 'x-sunset': payload, 'x-deprecated-since': payload }),
  'extension of an operation': field('/extension', 'x-any', (value) => one(value, value)),
  'extension by name': (document, payload) =>
    operation(document, '/extension-name', one(`x-${payload}`, payload)),
  'server of an operation': field('/server', 'servers', (value) => [{ url: value, description: value }]),
  'query parameter': parameter('/query', (value) => ({ name: value })),
  'header parameter': parameter('/header', (value) => ({ name: value, in: 'header' })),
  'cookie parameter': parameter('/cookie', (value) => ({ name: value, in: 'cookie' })),
  'place of a parameter': parameter('/in', (value) => ({ in: value })),
  'style of a parameter': parameter('/style', (value) => ({ style: value })),
  'description of a parameter': parameter('/parameter-description', (value) => ({ description: value })),
  'default of a parameter': parameter('/parameter-default', (value) => ({
    schema: { type: 'string', default: value },
  })),
  'pattern of a parameter': parameter('/parameter-pattern', (value) => ({
    schema: { type: 'string', pattern: value },
  })),
  'enum of a parameter': parameter('/parameter-enum', (value) => ({
    schema: { type: 'string', enum: [value, 'b'] },
  })),
  'deep object of a parameter': parameter('/parameter-deep', (value) => ({
    style: 'deepObject',
    schema: { type: 'object', properties: one(value, text()) },
  })),
  'media type of a parameter': (document, payload) =>
    operation(document, '/parameter-content', {
      parameters: [{ name: 'p', in: 'query', content: one(payload, { schema: {} }) }],
    }),
  'example of a parameter': parameter('/parameter-example', (value) => ({ example: value })),
  'name of an example': parameter('/parameter-examples', (value) => ({
    examples: one(value, { summary: value, description: value, value }),
  })),
  'address of an example': parameter('/parameter-external', (value) => ({
    examples: { a: { externalValue: value } },
  })),
  'media type of a body': (document, payload) =>
    operation(
      document,
      '/body-media',
      { requestBody: { content: one(payload, { schema: text() }) } },
      'post',
    ),
  'description of a body': (document, payload) =>
    operation(
      document,
      '/body-described',
      { requestBody: { description: payload, content: { 'application/json': { schema: text() } } } },
      'post',
    ),
  'property of a body': body('/body-property', (value) => ({
    schema: { type: 'object', properties: one(value, text()), required: [value] },
  })),
  'field of a form': body(
    '/body-form',
    (value) => ({
      schema: { type: 'object', properties: one(value, { type: 'array', items: { type: 'string' } }) },
    }),
    'application/x-www-form-urlencoded',
  ),
  'part of a form': body(
    '/body-multipart',
    (value) => ({
      schema: { type: 'object', properties: one(value, { type: 'string', format: 'binary' }) },
      encoding: one(value, { contentType: value, headers: one(value, { schema: text() }) }),
    }),
    'multipart/form-data',
  ),
  'encoding of a part': body(
    '/body-encoding',
    (value) => ({
      schema: { type: 'object', properties: { a: text() } },
      encoding: { a: { contentType: value } },
    }),
    'multipart/form-data',
  ),
  'example of a body': body('/body-example', (value) => ({
    schema: {},
    examples: one(value, { value: one(value, value) }),
  })),
  status: (document, payload) =>
    operation(document, '/status', {
      responses: { '200': { description: 'ok' }, ...one(payload, { description: payload }) },
    }),
  'description of an answer': response('/answer-description', (value) => ({ description: value })),
  'media type of an answer': response('/answer-media', (value) => ({
    content: one(value, { schema: text() }),
  })),
  'property of an answer': response('/answer-property', (value) => ({
    ...answer({ type: 'object', properties: one(value, text()), additionalProperties: false }),
  })),
  'header of an answer': response('/answer-header', (value) => ({
    headers: one(value, { description: value, schema: text() }),
  })),
  link: response('/link', (value) => ({
    links: one(value, {
      operationId: value,
      description: value,
      parameters: one(value, `$response.body#/${value}`),
      requestBody: value,
      server: { url: value },
    }),
  })),
  'reference of a link': response('/link-reference', (value) => ({ links: { a: { operationRef: value } } })),
  'example of an answer': response('/answer-example', (value) => ({
    content: { 'application/json': { schema: {}, examples: one(value, { value: one(value, [value]) }) } },
  })),
  'stream of an answer': response('/answer-stream', (value) => ({
    content: {
      'text/event-stream': { schema: text(), itemSchema: { type: 'object', properties: one(value, text()) } },
    },
  })),
  callback: (document, payload) => callback(document, '/callback', payload, '{$request.body#/url}'),
  'expression of a callback': (document, payload) =>
    callback(document, '/callback-expression', 'done', payload),
  'expression within a callback': (document, payload) =>
    callback(document, '/callback-within', 'within', `https://example.org/{$request.body#/${payload}}`),
  reference: (document, payload) => operation(document, '/reference', { parameters: [{ $ref: payload }] }),
  'reference of a path': (document, payload) =>
    put(within(document, 'paths'), '/reference-path', { $ref: payload }),
}

function callback(document: Tree, path: string, name: string, expression: string): void {
  const called = {
    post: {
      summary: name,
      requestBody: { content: { 'application/json': { schema: text() } } },
      responses: { '200': { description: 'ok' } },
    },
  }
  operation(document, path, { callbacks: one(name, one(expression, called)) }, 'post')
}
