import { one, operation, put, schema, within } from './document.js'
import type { TextPosition } from './places.js'

const info =
  (...keys: readonly string[]): TextPosition =>
  (document, text) =>
    put(within(document, 'info', ...keys.slice(0, -1)), keys.at(-1) ?? '', text)

/** A component of a kind that has a name, without references to it. */
const component =
  (kind: string, value: (text: string) => Parameters<typeof put>[2]): TextPosition =>
  (document, text) =>
    put(within(document, 'components', kind), text, value(text))

const flow = { tokenUrl: 'https://example.org/token', scopes: {} }

/** A security scheme, and an operation that requires it. */
const scheme =
  (name: string, value: (text: string) => Parameters<typeof put>[2]): TextPosition =>
  (document, text) => {
    put(within(document, 'components', 'securitySchemes'), name, value(text))
    operation(document, `/schemes/${name}`, { security: [{ [name]: [] }] })
  }

/** Positions in the document itself: info, servers, tags, names of components, security. */
export const documentPlaces: Readonly<Record<string, TextPosition>> = {
  title: info('title'),
  version: info('version'),
  'summary of the document': info('summary'),
  'description of the document': info('description'),
  'terms of service': info('termsOfService'),
  'name of the contact': info('contact', 'name'),
  'url of the contact': info('contact', 'url'),
  'email of the contact': info('contact', 'email'),
  'name of the licence': (document, text) => put(within(document, 'info', 'license'), 'name', text),
  'url of the licence': (document, text) => {
    put(within(document, 'info', 'license'), 'url', text)
    if (!('name' in within(document, 'info', 'license')))
      put(within(document, 'info', 'license'), 'name', 'MIT')
  },
  'OpenAPI version': (document, text) => put(document, 'openapi', text),
  'own address': (document, text) => put(document, '$self', text),
  'dialect of schemas': (document, text) => put(document, 'jsonSchemaDialect', text),
  'field that is unknown': (document, text) => put(document, text, text),
  'extension of the document': (document, text) => put(document, `x-${text}`, { [text]: [text] }),
  server: (document, text) => put(document, 'servers', [{ url: text, description: text }]),
  'path of the server': (document, text) =>
    put(document, 'servers', [{ url: `https://example.org/${text}`, name: text }]),
  'variable of the server': (document, text) =>
    put(document, 'servers', [
      {
        url: `https://example.org/v/{${text}}`,
        variables: one(text, { default: text, enum: [text], description: text }),
      },
    ]),
  tag: (document, text) => {
    put(document, 'tags', [
      { name: text, summary: text, description: text, externalDocs: { url: text, description: text } },
    ])
    operation(document, '/tag', { tags: [text], externalDocs: { url: text, description: text } })
  },
  'name of a schema': (document, text) =>
    schema(document, text, { type: 'object', properties: { a: { type: 'string' } } }),
  'name of a response': component('responses', (text) => ({ description: text })),
  'name of a parameter component': component('parameters', (text) => ({
    name: text,
    in: 'query',
    schema: {},
  })),
  'name of an example component': component('examples', (text) => ({ value: text })),
  'name of a body component': component('requestBodies', (text) => ({ content: one(text, {}) })),
  'name of a header component': component('headers', (text) => ({ description: text, schema: {} })),
  'name of a link component': component('links', (text) => ({ operationId: text })),
  'name of a callback component': component('callbacks', (text) => one(text, {})),
  'name of a path component': component('pathItems', () => ({
    get: { responses: { '200': { description: 'ok' } } },
  })),
  'name of a scheme': (document, text) => {
    put(within(document, 'components', 'securitySchemes'), text, { type: 'http', scheme: 'bearer' })
    operation(document, '/scheme', { security: [one(text, [])] })
  },
  'scheme of HTTP': scheme('http', (text) => ({
    type: 'http',
    scheme: text,
    bearerFormat: text,
    description: text,
  })),
  'header of an API key': scheme('keyHeader', (text) => ({ type: 'apiKey', in: 'header', name: text })),
  'query of an API key': scheme('keyQuery', (text) => ({ type: 'apiKey', in: 'query', name: text })),
  'cookie of an API key': scheme('keyCookie', (text) => ({ type: 'apiKey', in: 'cookie', name: text })),
  'type of a scheme': scheme('typed', (text) => ({ type: text })),
  'addresses of OAuth': scheme('oauth', (text) => ({
    type: 'oauth2',
    flows: { authorizationCode: { authorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: {} } },
  })),
  'address of OpenID Connect': scheme('openId', (text) => ({
    type: 'openIdConnect',
    openIdConnectUrl: text,
  })),
  scope: (document, text) => {
    const scopes = one(text, text)
    put(within(document, 'components', 'securitySchemes'), 'scoped', {
      type: 'oauth2',
      flows: { clientCredentials: { ...flow, scopes } },
    })
    operation(document, '/scoped', { security: [{ scoped: [text] }] })
  },
  'requirement of a scheme': (document, text) =>
    operation(document, '/requirement', { security: [one(text, [])] }),
  'code of an error': (document, text) =>
    put(within(document, 'x-errors'), text, { title: 'A', status: 409, rpc: 9 }),
  'title of an error': (document, text) =>
    put(within(document, 'x-errors'), 'titled', { title: text, status: 409, rpc: 8 }),
  'error of an operation': (document, text) => operation(document, '/errors', { 'x-errors': [text] }),
  webhook: (document, text) =>
    put(within(document, 'webhooks'), text, {
      post: {
        summary: text,
        requestBody: { content: { 'application/json': { schema: { const: text } } } },
        responses: { '200': { description: text } },
      },
    }),
}
